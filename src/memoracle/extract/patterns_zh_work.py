"""Chinese: how to reach somebody, and where projects stand."""

from __future__ import annotations

from memoracle.extract.pattern import Pattern
from memoracle.extract.pieces_zh import END, KIN, ME, OF_ME, PERSON, SOFT, TITLE, WHEN
from memoracle.model.claim import Stance

_WHOSE = rf"(?:(?:{OF_ME})?(?:会计|客服|前台|财务|供应商|房东|物业|老师|中介|客户|销售|助理|法务|HR)?(?:(?P<subject>{KIN}|{PERSON}|[一-龥]{TITLE})的?)|{ME}的?|公司的?|我司的?|团队的?|新的?|联系)?"
_MAIL = r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}"
_PHONE = r"\+?\d[\d -]{5,16}\d"
_SITE = r"(?:https?://)?(?:[\w-]{1,63}\.){1,4}[a-z]{2,12}(?:/[^\s，。；）)]{0,120})?"
_SERVICE = r"(?:微信|QQ|GitHub|github|gitee|码云|推特|Twitter|X|微博|小红书|抖音|快手|B站|b站|哔哩哔哩|知乎|Telegram|tg|钉钉|飞书|Instagram|ins|LinkedIn|领英|脉脉|Discord|Slack|Steam|公众号|豆瓣|掘金|即刻|Line|WhatsApp)"
_NOT_PROJECT = r"(?!最近|我|们|你|他|她|它|这|那|把|将|帮|请|如果|为什么|怎么|什么|今天|明天|昨天|一|别|不|先|已经|终于|刚|又|都|没|还|上周|上个|上次|下周|下个|去年|今年|前天|前年|全家|打算|决定|同意|讨论|大家|想|准备|计划|要|得|会|能|可以|应该|必须|以后|每|在|从)"
_WORKING = r"(?:已经|已|刚刚?|终于|今天|昨天|上周[一-龥]?|上个?月|正式|全部|目前|现在|还|仍|又|将|先|要|暂时|临时|下周[一-龥]?|月底|顺利|成功|全量|提前|都|这周){0,3}"

# fmt: off
PATTERNS: tuple[Pattern, ...] = (
    # contact
    Pattern(
        name="contact.email", predicate="email",
        regex=rf"{_WHOSE}(?:工作|个人|私人|联系|备用|新|公司|常用|企业)?(?:的)?(?:邮箱|邮件|电子邮件|电子邮箱|email|e-mail|mail|Gmail)(?:地址|账号)?(?:还|就)?(?:是|为|[：:])?\s?(?P<object>{_MAIL})",
        examples=(("我的邮箱是 linxd@example.cn", "linxd@example.cn"), ("会计刘姐的邮箱liujie@kuaiji.example，发票找她", "刘姐 | liujie@kuaiji.example")),
        counterexamples=("我的邮箱满了", "给fixture加一个邮箱a@b.cn"),
    ),
    Pattern(
        name="contact.email_changed", predicate="email", stance=Stance.CORRECT,
        regex=rf"{_WHOSE}(?:工作|新)?邮箱(?:地址)?(?:已经)?(?:换成|改成|改为|变成|更新为)了?\s?(?P<object>{_MAIL})",
        examples=(("我邮箱换成了new@example.cn", "new@example.cn"),),
        counterexamples=("邮箱换成功了",),
    ),
    Pattern(
        name="contact.new_phone", predicate="phone", stance=Stance.CORRECT,
        regex=rf"(?:{ME})?(?:的)?(?:刚|已经|最近)?(?:(?:换|改)了?(?:个|新)?(?:手机|电话)?(?:号码?|电话)(?:了)?|(?:手机号?码?|电话号?码?|号码)(?:换|改)(?:成|为)?了?)[，,：:]?(?:新的?(?:手机)?(?:号码?)?)?(?:现在)?(?:是)?\s?[：:]?(?P<object>{_PHONE})",
        examples=(("我换号了，新的是18600001111", "18600001111"), ("我手机号换成13900001111了", "13900001111")),
        counterexamples=("我换了端口8080",),
    ),
    Pattern(
        name="contact.phone", predicate="phone",
        regex=rf"{_WHOSE}(?:新|工作|私人|公司|家里|常用)?(?:的)?(?:手机号?码?|电话号?码?|联系电话|联系方式|号码|座机|手机|电话|tel)(?:还|就)?(?:是|为|[：:])?\s?(?P<object>{_PHONE})",
        examples=(("我手机号13900005678，微信同号", "13900005678"), ("我上司的联系电话是18567357223。", "上司 | 18567357223")),
        counterexamples=("电话打不通",),
    ),
    Pattern(
        name="contact.call", predicate="phone", label_free=True,
        regex=rf"(?:有事|可以|请|也可以|直接|急事|就){{0,3}}(?:打|拨打?|拨)(?:我|给我|我的|这个){{0,2}}(?:手机|电话|座机)?[：:]?\s?(?P<object>{_PHONE})",
        examples=(("可以打我电话 010-88886666", "010-88886666"),),
        counterexamples=("打110报警",),
    ),
    Pattern(
        name="contact.handle", predicate="handle",
        regex=rf"{_WHOSE}(?:的)?(?P<about>{_SERVICE})(?:号码?|账号|帐号|账户|ID|id|名|用户名|昵称|主页)?(?:就)?(?:是|叫做?|为|[：:])\s?[“\"「『]?(?P<object>(?!什么|空|同|多少|不|怎|啥|个|一)[^\s，。！？”\"」』、]{{2,30}})",
        examples=(("我的github是mossgardener", "github: mossgardener"), ("我小红书账号叫“半糖去冰”", "小红书: 半糖去冰"), ("微信号：lin_xd88", "微信: lin_xd88")),
        counterexamples=("我的github是空的", "微信是什么"),
    ),
    Pattern(
        name="contact.qq", predicate="handle",
        regex=rf"{_WHOSE}(?P<about>QQ|qq)(?:号码?)?(?:是|为|[：:])?\s?(?P<object>\d{{5,12}})",
        examples=(("我QQ号12345678", "QQ: 12345678"),),
        counterexamples=("QQ登不上",),
    ),
    Pattern(
        name="contact.write_to", predicate="email",
        regex=rf"(?:有事|资料|简历|发票|文件|合同|可以|请|麻烦|也可以|直接){{0,3}}(?:发|寄|联系)(?:到|我|给我|至){{0,2}}(?:的)?(?:邮箱|邮件)?(?:是|[：:])?\s?(?P<object>{_MAIL})", label_free=True,
        examples=(("有事发我邮箱 abc@foo.com", "abc@foo.com"),),
        counterexamples=("发邮件给客户",),
    ),
    Pattern(
        name="contact.handle_bare", predicate="handle",
        regex=rf"{_WHOSE}(?P<about>{_SERVICE})(?:号码?|账号|帐号|ID|id|用户名)[：:]?\s?(?P<object>[A-Za-z@][A-Za-z0-9_.-]{{3,30}})",
        examples=(("我的微信号 hello_2020", "微信: hello_2020"),),
        counterexamples=("微信号被封了",),
    ),
    Pattern(
        name="contact.add_me", predicate="handle", label_free=True,
        regex=rf"(?:可以|请|你|麻烦)?加(?:一下)?我(?:的)?(?P<about>{_SERVICE})(?:号)?(?:[：:是])?\s?(?P<object>[A-Za-z0-9@][A-Za-z0-9_.-]{{3,30}})",
        examples=(("加我微信 abc_2024", "微信: abc_2024"),),
        counterexamples=("加我微信吧",),
    ),
    Pattern(
        name="contact.website", predicate="website",
        regex=rf"{_WHOSE}(?:的)?(?:个人|公司)?(?:官网|网站|博客|主页|网址|blog|个人网站|站点|作品集)(?:地址)?(?:就)?(?:是|在|[：:]|(?=https?://))\s?(?P<object>{_SITE})(?<!\.js)(?![一-龥]{{0,3}}(?:写|开发|搭|做)的)",
        examples=(("公司官网是 https://yunhe.example", "https://yunhe.example"), ("我的博客是moss.example.cn", "moss.example.cn")),
        counterexamples=("网站挂了",),
    ),
    # project
    Pattern(
        name="project.deadline_moved", predicate="deadline", stance=Stance.CORRECT,
        regex=rf"(?:{OF_ME})?(?P<subject>{_NOT_PROJECT}[^，。！？：:]{{0,14}}?)?(?:的)?(?:截止(?:日期|时间)?|ddl|deadline|死线|交付(?:日期|时间)?|上线(?:日期|时间)?|发布(?:日期|时间)?|工期|验收|项目|版本|提测|迭代|里程碑|功能|需求|系统|平台)(?:已经|又|要|整体)?(?:延期|推迟|延后|提前|顺延|改|延|推|挪)(?:到|至|成|为)了?(?P<object>(?:{WHEN}|Q[1-4])[^，。！？]{{0,10}}?)(?:了)?(?:上线|发布|交付)?{SOFT}{END}",
        examples=(("上线延期到周五", "周五"), ("青鸟项目推迟到6月15号", "青鸟 | 6月15号")),
        counterexamples=("家长会改成线上",),
    ),
    Pattern(
        name="project.deadline", predicate="deadline",
        regex=rf"(?:{OF_ME})?(?P<subject>{_NOT_PROJECT}[^，。！？：:]{{1,16}}?)?(?:的)?(?:截止(?:日期|时间)?|ddl|deadline|死线|交付(?:日期?|时间)|上线(?:日期|时间)|发布(?:日期|时间|日)|工期|提测时间|交稿日期?|交付期限|期限)(?:就|还)?(?:是|定在|在|为|定为|到|[：:])了?\s?(?P<object>(?!什么|哪|多)[^，。！？]{{2,20}})",
        examples=(("青鸟项目的截止日期是5月30号", "青鸟项目 | 5月30号"), ("云河项目ddl是下周五", "云河项目 | 下周五")),
        counterexamples=("截止日期是什么时候",),
    ),
    Pattern(
        name="project.due", predicate="deadline",
        regex=rf"(?:{OF_ME})?(?P<subject>{_NOT_PROJECT}[^，。！？：:]{{2,14}}?)(?:要|得|必须|需要|计划|预计|定)?(?:在)?(?P<object>{WHEN})(?:之?前|以前)?(?:必须|要|得|就)?(?:上线|交付|发布|提测|发版|交稿|封版|截止|验收){SOFT}{END}",
        examples=(("新版本下周三上线", "新版本 | 下周三"), ("云河项目月底前必须交付", "云河项目 | 月底")),
        counterexamples=("我明天上线", "支付重构已经上线了"),
    ),
    Pattern(
        name="project.moved", predicate="deployed_on", stance=Stance.CORRECT,
        regex=rf"(?:{OF_ME})?(?P<subject>{_NOT_PROJECT}[^，。！？：:]{{2,14}}?)(?:都|已经|刚|上周|昨天|现在|全部|整体){{0,2}}(?:从[^，。！？]{{1,16}}?)(?:迁|迁移|搬|切|切换|换|挪|转)(?:到|成|至)了?(?P<object>[^，。！？]{{2,20}}?)(?:上)?(?:了)?{SOFT}{END}",
        examples=(("代码仓库从gitee迁到了自建的gitlab", "代码仓库 | 自建的gitlab"),),
        counterexamples=("把数据从A迁到B",),
    ),
    Pattern(
        name="project.moved_to", predicate="deployed_on", stance=Stance.CORRECT,
        regex=rf"(?:{OF_ME})?(?P<subject>{_NOT_PROJECT}[^，。！？：:]{{2,14}}?)(?:都|刚|上周|昨天|现在|全部|整体){{0,2}}(?:(?:已经|已)(?:迁|迁移|切|切换)到了?|(?:迁|迁移|切|切换)到了|(?:迁|迁移|切|切换)到(?=[^，。！？]{{2,20}}了{END}))(?P<object>[^，。！？]{{2,20}}?)(?:上)?(?:了)?{SOFT}{END}",
        examples=(("日志服务迁移到了阿里云", "日志服务 | 阿里云"),),
        counterexamples=("我搬到了杭州",),
    ),
    Pattern(
        name="project.deployed", predicate="deployed_on",
        regex=rf"(?:{OF_ME})?(?P<subject>{_NOT_PROJECT}[^，。！？：:]{{2,14}}?)(?:都|现在|目前|已经|是|统一|全部){{0,2}}(?:(?:部署|托管|运行|上线)(?:在|到了?|于)|跑在)(?!本地$|这|那|第|一半|哪)(?P<object>[^，。！？]{{2,24}}?)(?:上面?|里)?(?:的)?{SOFT}{END}",
        examples=(("后端部署在腾讯云广州区", "后端 | 腾讯云广州区"), ("我们的服务跑在k8s上", "服务 | k8s")),
        counterexamples=("测试跑到一半挂了", "帮我部署到服务器"),
    ),
    Pattern(
        name="project.built", predicate="built_with",
        regex=rf"(?:{OF_ME})?(?P<subject>{_NOT_PROJECT}[^，。！？：:]{{1,14}}?)?(?:都|全|现在|目前|主要|就)?(?:是)?(?:用|基于|采用|使用)(?P<object>(?!这|那|什么|你|哪)[^，。！？了]{{1,20}}?)(?:写|做|开发|实现|搭|构建|搭建|来写|打包)的{SOFT}{END}",
        examples=(("我们小程序是用uni-app写的", "小程序 | uni-app"), ("前端基于React开发的", "前端 | React")),
        counterexamples=("这是用什么写的",),
    ),
    Pattern(
        name="project.built_in", predicate="built_with",
        regex=rf"(?:{OF_ME})?(?P<subject>{_NOT_PROJECT}[^，。！？：:]{{0,12}}?(?:App|APP|端|台|服务|项目|平台|系统|网关|游戏|网站|官网|博客|小程序|爬虫|脚本|工具|插件))(?:都|全)?是(?P<object>[A-Za-z][A-Za-z0-9 .+#-]{{1,20}})(?:写|做|开发|搭|实现|搭建)的{SOFT}{END}",
        examples=(("我们的App是Flutter开发的", "App | Flutter"),),
        counterexamples=("这个库是C++写的",),
    ),
    Pattern(
        name="project.switched", predicate="built_with", stance=Stance.CORRECT,
        regex=rf"(?:{OF_ME})?(?P<subject>{_NOT_PROJECT}(?![^，。！？]{{0,6}}(?:上司|领导|老板|键盘|手机|电脑|相机|药|车|耳机|经理|导师|对接人|主管))[^，。！？：:]{{2,12}}?)(?:已经|都|现在|全部|刚){{0,2}}(?:改用|换成|切到|切换成|切换到|升级到)(?P<object>[A-Za-z][^，。！？了]{{1,20}})了{SOFT}{END}",
        examples=(("数据平台改用ClickHouse了", "数据平台 | ClickHouse"),),
        counterexamples=("把颜色换成蓝色",),
    ),
    Pattern(
        name="project.stack", predicate="built_with",
        regex=rf"(?:{OF_ME}|项目的?|公司的?|团队的?)?(?P<about>技术栈|后端|前端|数据库|框架|编程语言|消息队列|缓存|CI|构建工具|包管理器?|ORM|网关|监控)(?:现在|目前|主要|统一|都|一直)?(?:用的?(?:是)?|采用|选的是|走的是|是用)(?P<object>(?!这|那|什么|哪|你|户|了|来|不|例|完)[^，。！？了]{{1,24}}?)(?:的)?{SOFT}{END}",
        examples=(("数据库用的是Postgres", "数据库: Postgres"), ("前端用Vue3", "前端: Vue3")),
        counterexamples=("后端用什么", "缓存用完了"),
    ),
    Pattern(
        name="project.dead", predicate="project_state",
        regex=rf"(?:{OF_ME})?(?P<subject>{_NOT_PROJECT}[^，。！？：:]{{0,10}}?(?:项目|计划|产品|业务))(?:已经|彻底|最后|基本)?(?P<object>黄|凉|砍|停|死|烂尾|流产)(?:掉)?了{SOFT}{END}",
        examples=(("数据中台项目黄了", "数据中台项目 | 黄"),),
        counterexamples=("菜凉了",),
    ),
    Pattern(
        name="project.stack_is", predicate="built_with",
        regex=rf"(?:{OF_ME}|项目的?|公司的?|团队的?)?(?P<about>技术栈)(?:主要)?(?:是|[：:])(?P<object>(?!这|那|什么|哪)[^，。！？]{{1,30}})",
        examples=(("我们的技术栈是Go加Vue", "技术栈: Go加Vue"),),
        counterexamples=("技术栈是什么",),
    ),
    Pattern(
        name="project.phase", predicate="project_state",
        regex=rf"(?:{OF_ME})?(?P<subject>{_NOT_PROJECT}[^，。！？：:]{{1,14}}?){_WORKING}(?:处于|进入(?:了)?|在|到了|正在|还在)(?P<object>[^，。！？]{{0,6}}(?:阶段|内测|公测|灰度|beta|alpha|Beta|Alpha|收尾|联调|设计期|开发中|测试中|验收中|试运行|招标|排期|封版)[^，。！？]{{0,4}}?)(?:了)?{SOFT}{END}",
        examples=(("云河现在处于内测阶段", "云河 | 内测阶段"), ("新版还在灰度", "新版 | 灰度")),
        counterexamples=("我在开发中遇到问题",),
    ),
    Pattern(
        name="project.finished", predicate="project_state",
        regex=rf"(?:{OF_ME})?(?P<subject>{_NOT_PROJECT}[^，。！？：:]{{0,10}}?(?:项目|系统|模块|功能|重构|改版|迁移|版本|小程序|App|网站|平台|官网|一期|二期))(?:的)?(?:开发|重构|审核|评审|迁移|改造)?(?:已经|终于|全部|都|刚){{0,2}}(?P<object>完成|做完|结束|收尾|审核通过|通过|开发完)(?:了){SOFT}{END}",
        examples=(("订单系统重构完成了", "订单系统 | 完成"), ("小程序审核通过了，已上线", "小程序 | 通过")),
        counterexamples=("测试完成了", "安装完成了"),
    ),
    Pattern(
        name="project.state", predicate="project_state",
        regex=rf"(?:{OF_ME})?(?P<subject>{_NOT_PROJECT}[^，。！？：:不没就]{{2,16}}?){_WORKING}(?P<object>上线|发布|发版|下线|交付|立项|开源|验收通过|通过验收|完成验收|验收完成|完成开发|开发完成?|上架|提交审核|提审|过审|通过评审|内测|公测|灰度|封版|提测|暂停|搁置|延期|暂缓|停更|归档|停服|完工|竣工|叫停|砍掉|启动|中标|结项|烂尾)(?:了|中|[，,]等|先|了?(?:[一二两三四五六七八九十几半\d]{{1,3}}(?:天|周|个?月|个星期|年)))?{SOFT}{END}",
        examples=(("支付重构已经上线了", "支付重构 | 上线"), ("iOS版先暂停，等新设计师到岗", "iOS版 | 暂停"), ("青鸟项目延期了", "青鸟项目 | 延期")),
        counterexamples=("我上线了", "什么时候上线", "刚上线"),
    ),
)
