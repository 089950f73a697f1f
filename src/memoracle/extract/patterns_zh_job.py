"""Chinese: what somebody works as and where, and what they learnt."""

from __future__ import annotations

from memoracle.extract.pattern import Pattern
from memoracle.extract.pieces_zh import ADV, END, KIN, ME, OTHER, SOFT, maybe, me, who
from memoracle.model.claim import Stance

_JOB = (
    r"(?:工程师|程序员|程序猿|码农|老师|教师|医生|大夫|护士|护士长|律师|设计师|(?:产品|项目|客户|销售|大堂|区域|基金|投资|部门|运营)?经理|会计|教授|研究员|科学家|厨师|司机|作家|记者|编辑|翻译|主管|总监|店长|老板|创始人"
    r"|CEO|CTO|CFO|COO|HR|DBA|SRE|PM|QA|TPM|产品|运营|前端|后端|全栈|架构师|分析师|顾问|销售|客服|公务员|警察|民警|刑警|消防员|摄影师|画家|插画师|音乐人|歌手|演员|导演|编剧|自由职业者?|个体户|工人|农民|快递员|外卖员|骑手|博主|主播|UP主|up主"
    r"|牙医|兽医|药师|药剂师|助教|讲师|副教授|校长|班主任|辅导员|策划|文员|秘书|助理|保安|导游|空姐|空乘|飞行员|机长|船员|开发者?|实习生|站长|运维|测试|投资人|咨询师|治疗师|理发师|发型师|美甲师|化妆师|教练|裁缝|木匠|电工|焊工|水手|海员|社工|志愿兵"
    r"|法官|检察官|法务|审计|出纳|采购|外科医生|麻醉师|营养师|心理咨询师|程序媛|算法|数据科学家|院长|局长|处长|科长|队长|技师|技术员|质检员|仓管|花艺师|烘焙师|咖啡师|调酒师|博士后|自媒体|专家|合伙人|财务|行政|人事|员工|公职人员|店员|收银员|服务员|农场主|渔民)"
)
_FIELD = r"(?:前端|后端|开发|设计|运营|产品|销售|测试|运维|算法|外贸|电商|自媒体|金融|咨询|教育|财务|会计|翻译|研究|投资|HR|人事|行政|市场|客服|数据|嵌入式|硬件|芯片|游戏|装修|建筑|物流|餐饮|房产|保险|审计|法务|采购|品牌|公关|新媒体|动画|影视|医疗|科研|安全|推荐系统|爬虫|技术支持|供应链|策划|招聘|培训|培训师|家教|微商|直播|代购|工程|质检|售后|售前|编辑|写作|摄影|化妆|美容|保洁|家政|SRE|QA|PM|AI|NLP|CV)"
_NOT_A_FIRM = r"(?!考|给|为|努力|认真|忙|处理|做|找|拼命|加班|这里|这边|那边|想|准备|跑|看|写|用|哪|什么|一起|外面|等|试|家|线|改|等着|一个人|电脑|周末|晚上|白天|工作日|夜里|学|热衷|尝试|考虑|研究|练|教|帮|思|职场|过程)"
_SCHOOL = r"(?:大学|学院|中学|高中|小学|初中|学校|附中|附小|[一二三四五六七八九十\d]中|幼儿园|职高|技校|党校|分校|校区|[一-龥]大)"
_SCHOOL_NAMES = r"(?:[北清复交浙南武中科人师工理农林医矿]大|北邮|北航|哈工大|同济|复旦|清华|上交|华科|西交|MIT|CMU|ETH|Stanford|斯坦福|哈佛|耶鲁|牛津|剑桥|港大|台大|中科院|国科大|北师大|华师大)"
_STUDY = r"(?:读书|上学|念书|留学|进修|读博|读研|就读|交换|求学|(?:读|念|上)(?:的|过|着)?(?:本科|研究生|硕士|博士|大[一二三四]|研[一二三]|大学|高中|初中|小学|幼儿园|预科))(?:的)?"
_CITY = (
    r"(?:北京|上海|广州|深圳|杭州|成都|重庆|武汉|西安|南京|苏州|天津|长沙|郑州|青岛|厦门|宁波|无锡|合肥|佛山|东莞|福州|济南|大连|沈阳|哈尔滨|长春|昆明|贵阳|南宁|南昌|太原|石家庄|兰州|乌鲁木齐|呼和浩特|银川|西宁|海口|三亚|拉萨|珠海"
    r"|中山|惠州|温州|嘉兴|绍兴|常州|南通|徐州|扬州|烟台|洛阳|泉州|桂林|大理|丽江|香港|澳门|台北|高雄|台中|新加坡|东京|大阪|京都|首尔|曼谷|吉隆坡|伦敦|巴黎|柏林|慕尼黑|阿姆斯特丹|苏黎世|纽约|旧金山|湾区|硅谷|西雅图|洛杉矶|波士顿|芝加哥|多伦多"
    r"|温哥华|蒙特利尔|悉尼|墨尔本|迪拜|美国|英国|日本|德国|法国|加拿大|澳洲|澳大利亚|韩国|荷兰|瑞士|新西兰|马来西亚|泰国|意大利|西班牙|[一-龥]{2,3}[市县镇州])"
)

# fmt: off
PATTERNS: tuple[Pattern, ...] = (
    # work
    Pattern(
        name="work.no_longer_as", predicate="works_as", stance=Stance.DENY,
        regex=rf"{maybe('')}(?:不再|不)(?:做|当|干|担任|从事)(?P<object>[^，。！？]{{2,14}}?)(?:这行)?了{SOFT}{END}",
        examples=(("我已经不做产品经理了，现在转做用户研究", "产品经理"), ("我不当老师了", "老师")),
        counterexamples=("我不做了", "今天不做饭了吧吗"),
    ),
    Pattern(
        name="work.no_longer_at", predicate="works_at", stance=Stance.DENY,
        regex=rf"{maybe('')}(?:不再|已经不|不)在(?P<object>(?!这|那|家|线|了|乎|意|用|乎|{_CITY})[^，。！？]{{2,14}}?)(?:上班|工作|干|做|任职|待)?(?<!住)了{SOFT}{END}",
        examples=(("不在华为了", "华为"), ("我已经不在腾讯上班了", "腾讯")),
        counterexamples=("我不在家", "我不在乎了"),
    ),
    Pattern(
        name="work.left", predicate="works_at", stance=Stance.DENY,
        regex=rf"{me('')}(?:从(?P<object>[^，。！？]{{2,14}}?)(?:离职|辞职|退休|毕业离开|裸辞|走人))了?",
        examples=(("我从腾讯离职了", "腾讯"), ("我上个月从阿里辞职了", "阿里")),
        counterexamples=("我从这里开始",),
    ),
    Pattern(
        name="work.left_firm", predicate="works_at", stance=Stance.DENY,
        regex=rf"{me('')}离开(?:了)?(?P<object>(?!这|那|家|座位|你|了|我|学校|一下|电脑)[^，。！？]{{2,12}}?)了?{SOFT}{END}",
        examples=(("我离开阿里了", "阿里"),),
        counterexamples=("我离开一下", "我离开了"),
    ),
    Pattern(
        name="work.status", predicate="works_as", importance=0.8,
        regex=rf"{who('')}(?:被|是|已|办了?)?(?P<object>退休|辞职|离职|失业|待业|被裁|裁员|裸辞|跳槽|自由职业|创业|升职|停薪留职|gap)(?:了|中|[一二两三四五六七八九十半\d]+(?:年|个月)(?:多)?(?:了)?){{0,2}}{SOFT}{END}",
        examples=(("我退休两年了，以前在铁路局", "退休"), ("我辞职了", "辞职"), ("我爸退休了", "爸 | 退休")),
        counterexamples=("我想辞职", "裁员是什么"),
    ),
    Pattern(
        name="work.joined", predicate="works_at", stance=Stance.CORRECT, importance=0.8,
        regex=rf"{maybe('')}(?:跳槽(?:去|到|至)了?|(?:刚|新)?入职了?(?!就)(?=[^，。！？]{{2,}})|加入了(?!购物|一个|白名单|讨论)|加盟了|调(?:到|去)了|转(?:到|去)了|去了(?=[^，。！？]{{2,12}}(?:上班|工作|任职))|换到了?(?=[^，。！？]{{2,12}}(?:公司|上班)))(?P<object>[^，。！？]{{2,20}}?)(?:上班|工作|任职|做[^，。！？]{{1,8}})?了?{SOFT}{END}",
        examples=(("上个月跳槽去了大疆，不在华为了", "大疆"), ("我刚入职了字节", "字节"), ("我加入了美团", "美团")),
        counterexamples=("加入了一个判断", "我想跳槽去大疆"),
    ),
    Pattern(
        name="work.joining", predicate="works_at", stance=Stance.CORRECT, importance=0.8,
        regex=rf"(?:{ME})?(?:{ADV})(?:下个?月|下周[一-龥]?|月底|{ADV})(?:{ME})?(?:{ADV})(?:就|要|会)?(?:去|到)(?P<object>(?!公司|单位|新公司)[^，。！？]{{2,12}}?)(?:入职|报到|上班)了?{SOFT}{END}",
        examples=(("下个月我就去小米入职了", "小米"),),
        counterexamples=("我去公司上班了",),
    ),
    Pattern(
        name="work.changed", predicate="works_at", stance=Stance.CORRECT, importance=0.8,
        regex=rf"{me('')}(?:换工作|跳槽|换公司|离职|辞职|转岗)了?[，,](?:{ME})?(?:现在|目前|刚)?(?:在|去了?|到了?)(?P<object>(?!家|找|休|准备|玩|一个|考虑)[^，。！？]{{2,14}}?)(?:上班|工作|做[^，。！？]{{1,8}})?了?{SOFT}{END}",
        examples=(("我换工作了，现在在米哈游", "米哈游"),),
        counterexamples=("我辞职了，在家休息",),
    ),
    Pattern(
        name="work.became", predicate="works_as", stance=Stance.CORRECT, importance=0.8,
        regex=rf"{maybe('')}(?:转做|转行(?:去)?(?:做|当|到)?了?|改行(?:做|当)?|改做|转岗(?:做|到|去)?|升(?:任|为|职为|职成了?|到|成|了)了?|晋升为?|晋升成?|被提拔为?|被提升为?|当上了?|成为了?)(?P<object>(?!了|一个|你)[^，。！？]{{2,16}}?)了?{SOFT}{END}",
        examples=(("现在转做用户研究", "用户研究"), ("我升职成了技术总监", "技术总监"), ("我转行做了数据分析", "数据分析")),
        counterexamples=("成为一个更好的人吧吗",),
    ),
    Pattern(
        name="work.at", predicate="works_at",
        regex=rf"{maybe('')}(?:在|就职于|任职于|供职于){_NOT_A_FIRM}(?P<object>[^，。！？]{{1,24}}?)(?:这家公司|这边|那边|里|总部)?(?:上班|工作|任职|就职|供职|当差|打工|实习|挂职|坐诊|教书|教课|当兵|(?:干|待|呆)了(?=[^，。]{{1,4}}年))(?:了|着|过)?(?:[^，。！？]{{0,6}}(?:年|个月))?(?:多)?{SOFT}{END}",
        examples=(("我在一家做工业机器人的公司上班", "一家做工业机器人的公司"), ("我在腾讯工作", "腾讯"), ("我表弟在浙江杭州工作呢。", "表弟 | 浙江杭州"), ("我哥王强在西门子上班", "王强 | 西门子")),
        counterexamples=("我在努力工作", "我在家工作", "我在找工作"),
    ),
    Pattern(
        name="work.at_as", predicate="works_at",
        regex=rf"{maybe('')}在(?!{_CITY}(?:一|做|当|搞)|家){_NOT_A_FIRM}(?P<object>[^，。！？做当搞干了]{{1,16}}?)(?:做|当|担任|搞|干|教|卖|负责)(?!作业|实验|饭|什么|梦|题|测试$|一个|个|完|好|了|事|训|室|程|育)[^，。！？了]{{1,12}}?(?:工作|的)?{SOFT}{END}",
        examples=(("我在字节做后端，主要写Go", "字节"), ("我在 Google 做 SRE", "Google"), ("在外企做财务", "外企")),
        counterexamples=("我在做实验", "我在家做饭", "我在西安做装修"),
    ),
    Pattern(
        name="work.doing", predicate="works_as",
        regex=rf"{maybe('')}在{_CITY}[^，。！？做当搞干了]{{0,10}}?(?:做|当|担任|搞|干|跑|开)(?P<object>(?!作业|实验|饭|什么|梦|题|完|好|了|事)[^，。！？了]{{2,12}}?)(?:生意|工作|的)?(?={SOFT}(?:[，。！？；,!?;：:…～~]|$)|今年|有|已经)",
        examples=(("我在西安做装修", "装修"), ("在苏州一家外企做财务", "财务"), ("我在西安做装修今年四十二", "装修")),
        counterexamples=("我在北京出差",),
    ),
    Pattern(
        name="work.is", predicate="works_as",
        regex=rf"{who('')}(?:是|担任|当|做)(?:一)?(?:个|名|位)?(?P<object>(?!不|否|说|想|在|真|什么|怎|做|干|搞|学|当)[^，。！？是我你他]{{0,16}}?{_JOB})(?:的)?{SOFT}{END}",
        examples=(("我是儿科护士", "儿科护士"), ("我爱人是中学物理老师，所以晚上经常要批作业", "爱人 | 中学物理老师"), ("我是一名程序员", "程序员"), ("我表妹是刑警队的队长。", "表妹 | 刑警队的队长")),
        counterexamples=("我是你的助理", "我是不是该找医生", "我是学生"),
    ),
    Pattern(
        name="work.elided", predicate="works_as",
        regex=rf"(?:目前|现在)?(?:还)?(?:是|担任)一?(?:名|位)(?P<object>[^，。！？是我你他]{{0,10}}?{_JOB}){SOFT}{END}",
        examples=(("目前是一名产品经理", "产品经理"),),
        counterexamples=("这是一名医生",),
    ),
    Pattern(
        name="work.for_years", predicate="works_as",
        regex=rf"{who('')}(?:做|干|当|教)了(?:快|将近|差不多|有)?[一二两三四五六七八九十几半\d]{{1,3}}(?:多)?年(?:多)?(?:的)?(?P<object>[^，。！？了的]{{2,10}}){SOFT}{END}",
        examples=(("我干了十年销售", "销售"), ("我当了二十年老师", "老师")),
        counterexamples=("我做了一年了",),
    ),
    Pattern(
        name="work.trade", predicate="works_as",
        regex=rf"{who('')}(?:是(?:做|干|搞|跑|教|开|卖|修|写|拍|种|画|送|带)|做|干|搞|从事|跑|教)(?P<object>(?!什么|了|完|好|饭|梦|事|作业|得|到|不)[^，。！？]{{1,14}}?)(?:这(?:一)?行的?|行业的?|相关的?|工作的?|的){{1,2}}{SOFT}{END}",
        examples=(("我妈妈是做销售的。", "妈妈 | 销售"), ("我表姐是干工程师这行的。", "表姐 | 工程师"), ("我从事医疗器械行业", "医疗器械")),
        counterexamples=("我做完的", "这是做什么的"),
    ),
    Pattern(
        name="work.field", predicate="works_as",
        regex=rf"{who('')}(?:做|搞|教)(?P<object>[^，。！？了的完]{{0,6}}{_FIELD}[^，。！？了的]{{0,4}}?)(?:有|已经)?(?:[一二两三四五六七八九十\d]+年)?{SOFT}{END}",
        examples=(("我做前端开发", "前端开发"), ("我做外贸的", "外贸"), ("我做算法五年了", "算法")),
        counterexamples=("我做完测试了", "我做了一个设计"),
    ),
    Pattern(
        name="work.runs", predicate="works_as",
        regex=rf"{maybe('')}(?:(?:开了?|经营(?:着)?|创办了?|创立了?|盘下了?|开着)(?:一)?(?:家|个|间)|自己开)(?P<object>[^，。！？]{{0,10}}(?:店|馆|公司|厂|铺|诊所|工作室|餐厅|咖啡厅|民宿|培训班|酒吧|网店|超市|农场|事务所|面馆))",
        examples=(("我自己开了个小面馆，在玉林路", "小面馆"), ("我开了一家咖啡店", "咖啡店")),
        counterexamples=("我想开一家店吗", "开了个会"),
    ),
    Pattern(
        name="work.job_is", predicate="works_as",
        regex=rf"(?:{ME}|{OTHER})的?(?:职业|本职工作|本职|工作|岗位|职位|职务|title)(?:就|主要)?是(?P<object>(?!什么|不是|很)[^，。！？]{{2,20}})",
        examples=(("我的职业是插画师", "插画师"), ("我的工作是写测试", "写测试")),
        counterexamples=("我的工作是什么",),
    ),
    Pattern(
        name="work.firm_is", predicate="works_at",
        regex=rf"(?:{ME}|{OTHER})的?(?:公司|单位|东家|雇主|工作单位)(?:的?名字)?(?:就)?(?:叫做?|是)(?P<object>(?!什么|不是|做|个|一家|家)[^，。！？]{{2,20}})",
        examples=(("我们公司叫云河科技", "云河科技"), ("我表姐的单位叫广州宏图销售有限公司。", "表姐 | 广州宏图销售有限公司")),
        counterexamples=("我们公司是做什么的",),
    ),
    Pattern(
        name="work.firm_does", predicate="works_at",
        regex=rf"{ME}(?:的)?(?:公司|单位)是?(?:一家)?(?P<object>做[^，。！？什]{{2,16}}的|[^，。！？]{{0,8}}(?:外企|国企|央企|私企|创业公司|初创公司|事业单位|上市公司))",
        examples=(("我们公司是做无人机的", "做无人机的"),),
        counterexamples=("我们公司是做什么的",),
    ),
    Pattern(
        name="work.on", predicate="works_on",
        regex=rf"{me('')}(?:在做|正在做|在开发|在负责|负责(?!任)|在研究|主要研究|研究的?是|研究方向是|在维护|主管|主导|带)(?:一个|个|着|一款|公司的?|整个)?(?P<object>(?!这[个段]|那[个段]|什么|人|哪)[^，。！？了]{{2,24}}){SOFT}{END}",
        examples=(("我负责支付系统", "支付系统"), ("我们在开发一个仓储调度系统", "仓储调度系统"), ("我研究方向是强化学习", "强化学习")),
        counterexamples=("我在做什么", "我负责任地说"),
    ),
    # education
    Pattern(
        name="education.dropped", predicate="studied_at",
        regex=rf"{maybe('')}(?:没(?:有)?(?:读|念|上)完|从|中途退出)(?P<object>[^，。！？]{{2,14}}?)(?:退学|辍学|肄业)?了?{SOFT}{END}(?<!职)(?<!职了)(?:(?<=退学了)|(?<=辍学了)|(?<=退学)|(?<=辍学)|(?<=肄业)|(?<=博士)|(?<=大学)|(?<=硕士)|(?<=高中)|(?<=研究生)|(?<=本科)|(?<=初中))",
        examples=(("我没读完博士，第三年退学了", "博士"), ("我从法学院退学了", "法学院")),
        counterexamples=("我从腾讯离职了", "我没读完那篇文章"),
    ),
    Pattern(
        name="education.unfinished", predicate="studied_at",
        regex=rf"{maybe('')}(?P<object>初中|高中|大学|本科|研究生|硕士|博士|大专|中专)(?:都|就)?没(?:有)?(?:读|念|上)完",
        examples=(("我高中没读完就出来打工了", "高中"),),
        counterexamples=("我书没读完",),
    ),
    Pattern(
        name="education.stage_at", predicate="studied_at",
        regex=rf"(?:{ME}|{OTHER})的?(?:本科|硕士|博士|研究生|大学|高中|初中|本硕|硕博)(?:是|在|就读于|读的是?|念的是?|上的是?)(?P<object>(?!什么|学|读|一个|个)[^，。！？]{{2,14}}?)(?:读的?|念的?|上的?|的)?{SOFT}{END}",
        examples=(("我本科是武大的", "武大"), ("我高中在衡水一中读的", "衡水一中")),
        counterexamples=("我大学学的是会计",),
    ),
    Pattern(
        name="education.graduated", predicate="studied_at",
        regex=rf"(?:{maybe('')}(?:\d{{2,4}}年|大学|本科|研究生|硕士|博士|高中){{0,2}}(?:是)?(?:毕业于|从)(?P<object>[^，。！？]{{2,20}}?)(?:毕业)?(?:的|了)?{SOFT}{END})(?<!职了)(?<!职)(?:(?<=毕业)|(?<=毕业的)|(?<=毕业了)|(?<=大学)|(?<=学院)|(?<=大)|(?<=学)|(?<=专业)|(?<=系))",
        examples=(("我研究生毕业于中山大学", "中山大学"), ("我从清华毕业", "清华"), ("我毕业于浙大计算机系", "浙大计算机系")),
        counterexamples=("我从头开始写", "我从腾讯离职了"),
    ),
    Pattern(
        name="education.graduate_of", predicate="studied_at",
        regex=rf"{who('')}(?:是)?(?:从)?(?P<object>(?!{KIN}|[明今去后前]年|刚|快|还|没|就|马上|终于|年|顺利|即将|大学$)[一-龥A-Za-z]{{2,14}}?)(?:本科|硕士|博士|研究生)?毕业(?:的|生|了)?(?:[^，。！？]{{0,6}}年)?{SOFT}{END}",
        examples=(("我是北大毕业的", "北大"), ("我交大硕士毕业", "交大")),
        counterexamples=("我刚毕业", "我明年毕业"),
    ),
    Pattern(
        name="education.school_of", predicate="studies_at",
        regex=rf"{who('')}(?:是|在)?(?P<object>(?:[^，。！？我是]{{1,10}}?{_SCHOOL}|{_SCHOOL_NAMES})[^，。！？]{{0,12}}?)的?(?:[大研博][一二三四五]|在读|本科|硕士|博士|研究)?(?:学生|研究生|博士生|本科生|硕士生|新生|在读|学长|学姐|生){SOFT}{END}",
        examples=(("我现在是同济土木的研二学生", "同济土木"), ("我是浙江大学的博士生", "浙江大学")),
        counterexamples=("我是大学生", "我是学生"),
    ),
    Pattern(
        name="education.at", predicate="studies_at",
        regex=rf"{maybe('')}(?:在|就读于|就读|考上了?|考进了?|考入)(?P<object>(?!家|看|这|那|哪|努力|认真|网上|图书馆|自|学|考虑)[^，。！？了]{{2,14}}?)(?<!在)(?:{_STUDY}|(?:读|念)[^，。！？了书]{{2,6}}?){SOFT}{END}",
        examples=(("我在浙大读的本科，学的是光电", "浙大"), ("我妹妹在墨尔本读书，下个月回来", "妹妹 | 墨尔本"), ("我在复旦念新闻", "复旦")),
        counterexamples=("我在家上网课", "我在看书"),
    ),
    Pattern(
        name="education.enrolled", predicate="studies_at",
        regex=rf"{maybe('')}(?:就读于|就读|考上了?|考进了?|考入|录取到了?|上的是|读的是)(?P<object>[^，。！？了]{{0,10}}(?:{_SCHOOL}|{_SCHOOL_NAMES})[^，。！？了]{{0,8}}?)了?{SOFT}{END}",
        examples=(("我就读于南开大学", "南开大学"), ("我女儿考上了复旦", "女儿 | 复旦")),
        counterexamples=("考上了公务员",),
    ),
    Pattern(
        name="education.subject", predicate="studies",
        regex=rf"{maybe('')}是?学(?P<object>(?!生|校|会|到|过|习|了|的)[^，。！？]{{1,10}}?)(?:的|专业的?|出身的?){SOFT}{END}",
        examples=(("我是学法律的，代码都是自学", "法律"),),
        counterexamples=("我是学生",),
    ),
    Pattern(
        name="education.major", predicate="studies",
        regex=rf"{maybe('')}(?:的)?(?:大学|本科|研究生|硕士|博士|当年)?(?:学的?是|读的?是|学的(?!是)|主修|攻读|辅修|念的是?|专业是|的专业是?|专业学|专业[：:])(?P<object>(?!什么|不|了|这|那|哪)[^，。！？]{{1,14}}?)(?:专业|系)?{SOFT}{END}",
        examples=(("学的是光电", "光电"), ("我的专业是临床医学", "临床医学"), ("我主修经济学", "经济学")),
        counterexamples=("学的是什么",),
    ),
    Pattern(
        name="education.course", predicate="studies",
        regex=rf"{maybe('')}(?:在|开始|报了?|报名了|参加了?)(?:自?学|上|学习)?(?:一个|一门|个|一期|了|门){{0,2}}(?P<object>驾校|[^，。！？了看]{{1,12}}(?:课(?!题|件|本)|(?<![上加值下航倒跟轮早晚夜])班(?!级|长|车)|课程|培训|训练营|网课|驾校|夜校)){SOFT}{END}",
        examples=(("最近在上一个烘焙课，每周六去", "烘焙课"), ("我报了一个德语班", "德语班")),
        counterexamples=("我在上班", "我在加班", "我在值班"),
    ),
    Pattern(
        name="education.learning", predicate="studies",
        regex=rf"(?:{ME}{ADV}|最近|目前|这阵子|{OTHER}{ADV})(?:(?:在|开始|正在)(?:自学|学习|学(?!习))|自学了?(?:[^，。！？]{{1,4}}(?:年|个月|周))?)(?P<object>(?!怎么|如何|校|着|到|会|新|你|这|那|做)[^，。！？了]{{1,12}}?){SOFT}{END}",
        examples=(("我最近在学日语", "日语"), ("我在自学Rust", "Rust")),
        counterexamples=("我在学校", "我在学习怎么用这个"),
    ),
    Pattern(
        name="education.background", predicate="studies",
        regex=rf"(?:{ME}|{OTHER})的?(?:最高)?(?:学历|教育背景|文化程度)(?:就)?是(?P<object>(?!什么)[^，。！？]{{2,12}}?){SOFT}{END}",
        examples=(("我爸爸学历是本科。", "爸爸 | 本科"),),
        counterexamples=("你的学历是什么",),
    ),
    Pattern(
        name="education.preparing", predicate="studies",
        regex=rf"{maybe('')}(?:(?:在|正在)?备考|(?:在|正在)考(?!虑|察|试|完|场))(?P<object>[^，。！？了]{{1,12}}?){SOFT}{END}",
        examples=(("我正在备考雅思", "雅思"),),
        counterexamples=("我没备考过",),
    ),
    Pattern(
        name="education.status", predicate="studied_at",
        regex=rf"{who('')}(?P<object>退学|休学|辍学|肄业|刚毕业|毕业)(?:了|[一二两三四五六七八九十半\d]+年(?:了)?){SOFT}{END}",
        examples=(("我退学了", "退学"),),
        counterexamples=("我想退学",),
    ),
    Pattern(
        name="education.degree", predicate="studies",
        regex=rf"{who('')}(?:是|有|拿了|拿到了|读了?)(?:一个)?(?P<object>[^，。！？的我是]{{0,12}}?(?:博士|硕士|MBA|EMBA|本科学历|大专学历|研究生学历|双学位|PhD|phd|学士)(?:学位|在读|后)?){SOFT}{END}",
        examples=(("我是语言学博士", "语言学博士"), ("我有个统计学硕士学位", "个统计学硕士学位")),
        counterexamples=("我是王博士的学生",),
    ),
)
