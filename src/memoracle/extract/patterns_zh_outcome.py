"""Chinese: decisions, lessons, contacts and projects said loosely: by their marks, by the shape of an address, by what stands in them."""

from __future__ import annotations

from memoracle.extract.pattern import Pattern
from memoracle.extract.patterns_zh_work import _NOT_PROJECT, _SERVICE
from memoracle.extract.pieces_zh import END, KIN, ME, OF_ME, PERSON, SOFT, WHEN
from memoracle.model.claim import Stance

_PART = r"(?:后端|前端|后台|官网|博客|小程序|App|APP|app|桌面端|移动端|客户端|服务端?|项目|平台|系统|网关|游戏|网站|爬虫|模型|知识库|底座|数据库|数据|缓存|消息队列|队列|日志|监控|CI|CD|流水线|仓库|代码|报表|登录模块|支付模块|搜索|推荐|检索|固件|脚本|库|埋点|测试|单测|文档|镜像|(?<!开发)环境|staging|线上|生产环境|测试环境|主库|从库|网页|站点|商城|中台|SDK|插件|机器人|插画|算法|接口|鉴权|样式|框架|技术栈|毕设|毕业设计|毕业专题|产品|MVP|demo|v\d[\d.]*|[一二三]期|新版|旧版|老系统|开源版|点餐小程序|图床|对象存储|前台|管理端|分支策略|分支)"
_TECH = r"(?:(?-i:[A-Za-z])[A-Za-z0-9_.+#/-]{1,30}(?: ?[A-Za-z0-9_.+#/-]{1,20}){0,3}|阿里云|腾讯云|华为云|百度云|微服务|单体|自建机房|云函数|单机|裸机)"
_PHONE = r"(?:\+?\d[\d -]{2,16}\d)"
_SITE = r"(?:[A-Za-z0-9-]{1,40}\.){1,4}[a-z]{2,12}(?:/[^\s，。；）)]{0,120})?"
_AGREED = r"(?:拍板|敲定|选定|商定|定下来?了?|定了|定成|定为|(?<![不没])确定(?:走|用|了)?|一致通过|全票通过|通过了|达成(?:一致|共识)|谈妥|共识是|(?<!得出的)结论(?:是|[：:])|(?<![不没由做格])决定(?!权|性|不了|于|因素|命运|的时候)|打定主意|定好的?|说定了?|最终决定|就这么定|已经定了|改主意了?|想通了|想好了|想清楚了|合计(?:完|下来|好了?)?|商量(?:下来|好了?|完)|讨论(?:完了?|下来|好了?|后)|权衡(?:下来|再三|之后)|聊了一圈|比了一圈|评估(?:完|下来|之后)|投票(?:结果)?|确认过了?|评审结论)"

# fmt: off
PATTERNS: tuple[Pattern, ...] = (
    # lesson
    Pattern(
        name="lesson.moral", predicate="learned", whole=True, any_where=True,
        regex=r"(?P<object>(?:[^。！？]{2,60}?)(?:引以为戒|长记性了?|长教训了?|吃一堑长一智|屡试不爽|学到教训了?|血的教训|血泪教训|(?:这|那)个?坑(?:我)?(?:踩|替|掉)[^。！？]{0,8}|踩了[^，。！？]{1,4}坑|记一下这个坑|被坑过[^，。！？]{0,4}|栽过跟头|吃过(?:大)?亏|大意了|后悔没[^，。！？]{1,10}|悔不该|亲测有效|必出事|必翻车|等于裸奔)[^。！？]{0,30}|(?:被坑过|吃过亏|栽过跟头|亲身教训|血泪(?:史|经验|教训)|过来人的?(?:经验|建议)|吃一堑长一智|这回长记性了|长记性了|惨痛(?:经历|教训))[，,：:][^。！？]{4,60})",
        examples=(("没签合同就开工，尾款到现在没要回来，引以为戒", "没签合同就开工，尾款到现在没要回来，引以为戒"), ("吃过亏，周五发版必出事", "吃过亏，周五发版必出事")),
        counterexamples=("给我讲个寓言", "血的教训"),
    ),
    Pattern(
        name="lesson.blame", predicate="learned", whole=True,
        regex=r"(?P<object>(?!你|我|他|她)[^，。！？你吗]{0,24}?(?:[，,](?:原来|其实|结果|最后发现)?)?(?:是|都是|就是|全是|竟然是|居然是|还是)(?:因为)?[^，。！？你吗什]{2,30}(?:的锅|惹的祸|导致的?|引起的?|造成的?|搞的鬼|作祟|拦的|打满|写满了|没[^，。！？]{1,10}(?:导致|造成|引起)))",
        examples=(("脚本在 Linux 上报错是 CRLF 的锅", "脚本在Linux上报错是CRLF的锅"), ("不是内存泄漏，是日志没轮转把磁盘写满了", "不是内存泄漏，是日志没轮转把磁盘写满了")),
        counterexamples=("这是什么导致的",),
    ),
    Pattern(
        name="lesson.traced", predicate="learned", whole=True,
        regex=r"(?:[^，。！？你]{0,16}[，,]?)?(?:(?:查|排查|折腾|调试?|搞|试|弄|debug|定位|翻)(?:了)?(?:半天|一天|一整天|一晚上|一下午|两天|三天|好久|一圈|到半夜|[^，。！？]{1,4}小时)|事后|破案了?|真相大白|查出来|查明|定位到|试出来了?|排查结论|复盘(?:结论|下来)?|查到了?|最后(?=发现|查))[，,：:！!]?\s?(?:才)?(?:结果|发现|查明|原来|结论|确认|得出)?(?:[^，。！？你]{0,10}?)(?:就|原来|竟然|居然|其实)?(?P<object>(?:是|因为|根因是?|原因是?|罪魁祸首是|故障是|问题出在|得|要)(?!什么|谁|啥|不是|哪|否|你)[^。！？吗]{4,60})",
        examples=(("403 查了半天，是 SELinux 拦的，不是权限", "是SELinux拦的，不是权限"), ("折腾一整天，罪魁祸首是 nginx 的 proxy_buffering", "罪魁祸首是nginx的proxy_buffering"), ("试出来了，得先关 SELinux 再重启 docker 才认那块盘", "得先关SELinux再重启docker才认那块盘")),
        counterexamples=("折腾了一天，累死", "查了半天，没找到"),
    ),
    Pattern(
        name="lesson.dawned", predicate="learned", whole=True,
        regex=r"(?:[^，。！？你]{0,16}?)(?:才|让我|总算|终于|算是|使我|教会我){1,2}(?:懂(?:得)?|明白|学乖|学精|信|知道|意识到|领悟|搞懂|弄懂|看清|体会到)(?:了)?[，,：:]?(?P<object>(?!了|你|是?我|什么|自己|怎么|原来你)[^。！？吗]{4,60})",
        examples=(("事故之后才懂，没有监控等于裸奔", "没有监控等于裸奔"), ("重复扣款那次让我明白回调必须幂等", "回调必须幂等"), ("后来才明白，跟甲方报工期得乘二", "跟甲方报工期得乘二")),
        counterexamples=("终于知道了", "我才知道你来了"),
    ),
    Pattern(
        name="lesson.summed_up", predicate="learned", label_free=True, whole=True,
        regex=r"(?:总结(?:一句话|下来|一下)?|一句话总结|血泪经验|经验之谈|经验(?:是)?|心得|学到(?:了)?一招|get到?一个?点|避坑指南|坑点|小经验|复盘一下|[^，。！？]{1,8}的(?:心得|经验|教训)|学乖了|学精了)\s?[：:，,]\s?(?P<object>(?!谢|多谢)[^。！？吗]{4,80})",
        examples=(("總結一句話：demo 前一天不要升級套件", "demo前一天不要升级套件"), ("血泪经验，Mac 上 sed -i 后头得跟一对空引号", "Mac上sed -i后头得跟一对空引号")),
        counterexamples=("总结一下：", "学到了，谢谢大佬"),
    ),
    Pattern(
        name="lesson.had_i_known", predicate="learned", whole=True, label_free=True,
        regex=r"(?:早知道|早该|当初(?:就)?该|真该|后悔没)(?P<object>(?:就)?(?:该|应该|先|提前|听)[^。！？吗]{4,60})(?<!就好了)",
        examples=(("早知道该先看 CHANGELOG，v5 把 default export 干掉了", "该先看CHANGELOG，v5把default export干掉了"),),
        counterexamples=("早知道就好了",),
    ),
    Pattern(
        name="lesson.suspects", predicate="learned", whole=True, confidence=0.6,
        regex=r"(?:我)?(?:怀疑|猜测?|估计|推测)(?P<object>(?:是|跟|和)(?!我|你|他|她|不是)[^。！？吗]{3,30}(?:才|导致|引起|造成|的问题|有关|对不上|的锅)[^。！？吗]{0,20})",
        examples=(("怀疑是 glibc 版本对不上才段错误的，还没坐实", "是glibc版本对不上才段错误的，还没坐实"),),
        counterexamples=("我猜是你",),
    ),
    # decision
    Pattern(
        name="decision.marked", predicate="decided", whole=True,
        regex=rf"(?P<object>(?!你|谁|还没|没|由|他|她|如果|怎么|看你|等你|选定文本|决定好了叫)[^，。！？你吗]{{0,16}}?{_AGREED}(?!了?吗|什么|叫我|好了叫我|之后弹|之前|没|再|好了?叫)[^。！？吗]{{2,60}})",
        examples=(("UI 这块我们决定外包出去", "UI这块我们决定外包出去"), ("想通了，博不读了，直接找工作", "想通了，博不读了，直接找工作"), ("讨论完了，第一版不做 iOS", "讨论完了，第一版不做iOS"), ("商量下来，新产品名就叫“拾光”", "商量下来，新产品名就叫“拾光"), ("老板拍板：海外版砍掉，集中做国内", "老板拍板：海外版砍掉，集中做国内")),
        counterexamples=("我决定不了", "由你决定", "我还没想好选哪个", "决定好了叫我"),
    ),
    Pattern(
        name="decision.so_be_it", predicate="decided", whole=True,
        regex=r"(?P<object>(?!你|谁|这个?|那个?|如果|要不)[^。！？你吗]{3,40}?[，,](?:这事(?:儿)?(?:已经)?定了|(?:已经)?说好了|跟[^，。！？]{1,4}定好的|(?:这是)?最终决定|就这么定了?|已经定了|会上(?:已经)?(?:通过|定)了?|法务也点头了|老板(?:也)?(?:同意|批|点头)了|大家都同意|不再(?:比|纠结|讨论)了?|没得商量))",
        examples=(("主键统一改 uuid，会上通过了", "主键统一改uuid，会上通过了"), ("前端全面切 TypeScript，这事已经定了", "前端全面切TypeScript，这事已经定了")),
        counterexamples=("这个，已经定了",),
    ),
    Pattern(
        name="decision.finally", predicate="decided", whole=True,
        regex=r"(?P<object>(?!你|谁|这个?|那个?|如果|要不|他|她)[^，。！？你吗]{0,12}?(?:最后|最终|还是|就|还是得|干脆|索性|果断)(?:我们|我|咱们?)?(?:还是|就|决定)?(?:走|用|选|上|改用|换|采用|留|砍)(?!户|话题|了吧|哪|第|这|那|来|完|不了|掉|一下|到了?|过|出|下|错)(?:了)?[^，。！？吗]{1,20}(?:[，,](?:不|没|先不|别|暂)[^。！？吗]{1,20}|了(?=[，。！]|$)))",
        examples=(("聊了一圈，我们还是用 Postgres，不折腾 Mongo", "我们还是用Postgres，不折腾Mongo"), ("知识问答最后走 RAG，不微调了", "知识问答最后走RAG，不微调了"), ("消息队列就选 Kafka 了", "消息队列就选Kafka了")),
        counterexamples=("最后选哪个", "就用第二个吧"),
    ),
    Pattern(
        name="decision.dropped", predicate="decided", whole=True,
        regex=r"(?P<object>(?!你|谁|这|那|今天|饭|先|我不|算了|再也)[^，。！？你吗我]{0,12}?(?:不(?:买|办|读|考|搞|做|上|租|续租|续签|换|融资|拆|支持|招|养|结|生|折腾|打官司|参加|出国|移民|装修|二胎)了?|弃了?|砍掉?了?|放弃了|拒了)[，,](?:我俩|我们|咱们?|直接|接着|改|全线|先|还是|就|打算|退回|回到|选|集中|专心|做到|跟|和)[^。！？吗]{2,40})",
        examples=(("房子不买了，接着租，攒钱留学", "房子不买了，接着租，攒钱留学"), ("婚礼不办了，我俩旅行结婚", "婚礼不办了，我俩旅行结婚"), ("GraphQL 弃了，全线退回 REST", "GraphQL弃了，全线退回REST")),
        counterexamples=("算了不改了，就这样吧", "今天不做了，先睡"),
    ),
    Pattern(
        name="decision.replaced", predicate="decided", whole=True,
        regex=r"(?P<object>(?!你|我|把|将|帮|请|药|从|数据|代码)[^，。！？你吗我]{1,10}从[^，。！？]{1,12}?(?:换|改|改成|换成|改为|切到)(?:了)?[^，。！？吗]{1,14}?)(?:了)?[，,](?:法务|老板|大家|会上|团队|都|已)[^。！？吗]{0,14}",
        examples=(("许可证从 MIT 换 AGPL，法务也点头了", "许可证从MIT换AGPL"),),
        counterexamples=("把它从A换成B，谢谢",),
    ),
    Pattern(
        name="decision.reversed", predicate="decided", stance=Stance.CORRECT, whole=True,
        regex=r"(?P<object>(?:推翻[^，。！？]{0,8}|上回说[^，。！？]{2,14}|之前说[^，。！？]{2,14}|原来说[^，。！？]{2,14})[，,](?:我|我们|现在)?(?:改主意了?|改用|改成|变了|不了|换成)[，,]?[^。！？吗]{2,30})",
        examples=(("上回说上 Kafka，我改主意了，NATS 够用", "上回说上Kafka，我改主意了，NATS够用"), ("推翻上次的结论，改用 MongoDB", "推翻上次的结论，改用MongoDB")),
        counterexamples=("之前说的那个呢",),
    ),
    # contact
    Pattern(
        name="contact.any_mail", predicate="email", any_where=True,
        regex=r"(?<![A-Za-z0-9._+-])(?!user@|test@|name@|foo@|admin@example|you@)(?P<object>[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,4})(?!/)",
        examples=(("学校邮箱 yitong@sjtu.example，毕业后失效", "yitong@sjtu.example"), ("商务合作走 hi@lumen.studio", "hi@lumen.studio")),
        counterexamples=("@lumen 你看",),
    ),
    Pattern(
        name="contact.any_phone", predicate="phone",
        regex=rf"(?:(?:{OF_ME})?(?P<subject>{KIN}|{PERSON}|物业|房东|律师|中介|客服|运维|前台|保安室|快递站)(?:家)?(?:的)?|{ME}(?:的)?|公司|办公室|工作室|家里|店里|[^，。！？我你]{{0,6}})?(?:值班|新|备用|工作|私人|国内|国外|新加坡|香港|美国|日本)?(?:手机号?码?|电话号?码?|号码|座机|总机|分机号?|内线|联系电话|联系方式|热线|尾号|新号|whatsapp|WhatsApp)(?:是|为|变成|换成|改成|还是|尾号|尾数|内线|我打错一位[，,]尾数是|[：:，,])*\s?(?:内线|分机|转)?(?P<object>{_PHONE})(?:[^，。！？]{{0,4}}转 ?\d{{2,6}})?",
        examples=(("公司总机 021-55667788", "021-55667788"), ("座机分机7788，上班时间能找到我", "7788"), ("物业值班电话 0571-88990011，半夜漏水打这个", "物业 | 0571-88990011"), ("新号 13900001111", "13900001111")),
        counterexamples=("10086 是什么号码", "电话打不通"),
    ),
    Pattern(
        name="contact.any_handle", predicate="handle",
        regex=rf"(?:(?:{OF_ME})?(?P<subject>{KIN}|{PERSON}|律师|房东|中介|客服|老师)的?|{ME}的?|在)?(?:加(?:一下)?我的?)?(?P<about>{_SERVICE}|lark|Lark|LINE|line|IG|ig|TG|推特|tg|wechat|WeChat|Mastodon|小宇宙|CSDN|博客园|牛客|LeetCode|力扣|Kaggle)(?:上)?(?:我|吧|号|账号|帐号|ID|id|handle|用户名|名|主页|搜|还在用|找我|关注|艾特|的|叫|是|就|基本不看|急事|为|[：:，,@\s“\"「]){{0,5}}(?P<object>@?(?-i:[A-Za-z0-9])[A-Za-z0-9_.-]{{3,40}}(?:/[A-Za-z0-9_/-]{{1,40}})?)(?![一-龥]{{0,4}}(?:怎么|报错|登))",
        examples=(("我微信 momo_cat_0917，加的时候备注来意", "微信: momo_cat_0917"), ("TG 上找我 @northwest_fish 就行", "TG: northwest_fish"), ("LINE ID：boyu_chien", "LINE: boyu_chien"), ("推特上我是 @nightcoder", "推特: nightcoder")),
        counterexamples=("微信怎么导出聊天记录", "QQ登不上"),
    ),
    Pattern(
        name="contact.search_for", predicate="handle",
        regex=rf"(?P<about>{_SERVICE}|lark|Lark|LINE)(?:上|里)?(?:搜索?|找|关注)[“\"「『]?(?P<object>[^，。！？”\"」』我]{{2,16}})[”\"」』]?[，,]?(?:那)?(?:就是我|就能找到我|是我)",
        examples=(("小红书搜“阿北的胶片日记”，那就是我", "小红书: 阿北的胶片日记"), ("lark 上搜“青崖”就是我", "lark: 青崖")),
        counterexamples=("微信搜一下",),
    ),
    Pattern(
        name="contact.site", predicate="website",
        regex=rf"(?:{ME}(?:的)?|{OF_ME}(?P<subject>{KIN})的?|国内|个人|公司|团队)?(?:个人|公司|新)?(?:代码|作品集?|主页|博客|网站|官网|领英|领英主页|仓库|GitHub|github|简历|店铺|频道|播客|专栏|公众号)(?:都|全|就|刚弄好|地址|主页|链接|我|在|放|扔|是|挂|到|搬到了?|换成了?|[：:，,\s]){{0,5}}(?:https?://)?(?P<object>{_SITE})(?![一-龥]{{0,3}}(?:写|开发|搭|做)的)(?<!\.js)(?<!\.py)",
        examples=(("我的代码都扔在 github.com/shenyan-dev", "github.com/shenyan-dev"), ("个人主页刚弄好，https://luyuan.example.cn", "luyuan.example.cn"), ("博客地址 blog.qingya.me", "blog.qingya.me")),
        counterexamples=("网址打不开啊 https://example.com/404", "我们官网是 Next.js 写的"),
    ),
    Pattern(
        name="contact.dropped", predicate="email", stance=Stance.DENY,
        regex=r"(?:那个|之前的?|旧的?|原来的?|我(?:的|那个)?)(?P<object>(?:QQ|163|Gmail|gmail|公司|学校|工作|126|Outlook)?(?:邮箱|手机号|号码|微信|QQ|电话))(?:我)?(?:早就?|已经|现在|都){0,2}(?:不(?:登|用|看|上)|停机|注销|作废|废弃|弃用|失效)(?:了)?",
        examples=(("那个QQ邮箱早就不登了，别往那发", "QQ邮箱"),),
        counterexamples=("邮箱登不上",),
    ),
    # project
    Pattern(
        name="project.made_with", predicate="built_with",
        regex=rf"(?:这个|那个|{OF_ME}|我|现在|目前|线上的?)?(?P<subject>{_NOT_PROJECT}[^，。！？：:用是]{{0,8}}?{_PART})(?:我们|咱们|我)?(?:现在|目前|主要|都|全|是|统一|还|就|已经|刚){{0,3}}(?:用|拿|基于|采用|使用|靠|走)(?:的)?(?:是|了)?\s?(?P<object>(?!这|那|什么|你|哪){_TECH})\s?(?:框架)?(?:来)?(?:写|做|开发|实现|搭|构建|搭建|撸|重写|生成|管理|部署|渲染|打包|检索|版本|框架)?(?:的|了|出来的)?(?=[，。！,]|$|，)",
        examples=(("游戏用 Unity 开发，版本 2022 LTS", "游戏 | Unity"), ("前端是拿 SvelteKit 撸的", "前端 | SvelteKit"), ("报表服务我们是用 Rust 重写的", "报表服务 | Rust"), ("这个 App 用 Flutter 做的", "App | Flutter"), ("知识库检索用 pgvector", "知识库检索 | pgvector")),
        counterexamples=("系统用起来很卡",),
    ),
    Pattern(
        name="project.is_tech", predicate="built_with",
        regex=rf"(?:这个|那个|{OF_ME}|现在|目前|当前|线上的?)?(?P<subject>{_NOT_PROJECT}[^，。！？：:用是]{{0,8}}?{_PART}(?:默认分支|版本)?)(?:现在|目前|还|都|全|应该|大概){{0,2}}(?:是|停在|还在|升到|升级到|从[^，。！？]{{1,12}}升到|[：:])\s?(?P<object>(?-i:[A-Za-z0-9])[A-Za-z0-9_.+# -]{{0,24}}(?:[+、和跟] ?[A-Za-z0-9 .]{{2,16}}){{0,3}})(?:上|了|写的|做的)?(?=[，。！,]|$)(?<!null)(?<!NULL)(?<!200)(?<!404)(?<!500)",
        examples=(("桌面端是 Electron，包体一百多兆", "桌面端 | Electron"), ("后台是 Django 4，跑在腾讯云轻量上", "后台 | Django 4"), ("当前线上版本是 3.2", "线上版本 | 3.2"), ("技术栈：Vue3 + NestJS + Redis", "技术栈 | Vue3 + NestJS + Redis")),
        counterexamples=("数据库里那条地址是 null", "接口是 404"),
    ),
    Pattern(
        name="project.hosted", predicate="deployed_on",
        regex=rf"(?:部署在|托管在|跑在|挂在|前头挂|部署到了?)\s?(?P<object>{_TECH}(?:[一-龥A-Za-z ]{{0,8}})?)(?:上)?{SOFT}{END}",
        examples=(("部署在 Cloudflare Pages", "Cloudflare Pages"),),
        counterexamples=("部署一下",),
    ),
    Pattern(
        name="project.figures", predicate="project_state",
        regex=rf"(?:这个|那个|{OF_ME}|现在|目前)?(?P<subject>{_NOT_PROJECT}[^，。！？：:是]{{0,10}}?)(?:的)?(?P<object>(?:日活|月活|DAU|MAU|用户数?|覆盖率|测试覆盖率|代码量|star数?|下载量|QPS|营收|流水|付费用户|转化率|留存|准确率|进度)(?:现在|目前|已经|刚|大概|才|是|到|破|爬到|突破|涨到|做到|达到|有|约){{0,3}}[\d一二三四五六七八九十百千万.]{{1,8}}[%％万千亿左右多]{{0,3}})",
        examples=(("那个点餐小程序日活破万了", "点餐小程序 | 日活破万"), ("项目测试覆盖率目前62%", "项目 | 测试覆盖率目前62%")),
        counterexamples=("覆盖率怎么算",),
    ),
    Pattern(
        name="project.stage", predicate="project_state",
        regex=rf"(?:这个|那个|{OF_ME}|养老那个)?(?P<subject>{_NOT_PROJECT}[^，。！？：:是]{{0,10}}?(?:{_PART}|论文|专利|App|重构|改版|验收|iOS版|安卓版|书稿))(?:已经|已|刚刚?|终于|昨天|上周|正式|目前|现在|还|正|都|彻底|说好的|算是|差不多|暂时){{0,3}}(?P<object>(?:在|正在)?(?:重构|内测|公测|灰度(?:到[^，。！？]{{1,4}})?|联调(?:通)?|封板|上架[^，。！？]{{0,10}}|下线|下架|投稿[^，。！？]{{0,8}}|送审|过审|被拒|被打回|卡在[^，。！？]{{1,8}}|烂尾|黄|凉|搁置|停滞|开发中|测试中|设计中|收尾|结项|交付|验收|开源|归档|冻结|跑通|重写|立项|中标))(?:了|中|阶段|期)?{SOFT}{END}",
        examples=(("支付模块正在重构", "支付模块 | 在重构"), ("新版灰度到三成了，暂时没炸", "新版 | 灰度到三成"), ("登录模块联调通了", "登录模块 | 联调通"), ("养老那个项目彻底黄了", "项目 | 黄")),
        counterexamples=("最近项目上线，天天忙到十一点", "测试怎么跑"),
    ),
    Pattern(
        name="project.stuck", predicate="project_state",
        regex=rf"(?:目前|现在|还|一直|仍){{1,2}}(?P<object>卡在[^，。！？]{{0,8}}(?:审核|评审|备案|测试|联调|验收|法务|采购|审批|排期|设计)[^，。！？]{{0,6}}){SOFT}{END}",
        examples=(("还卡在苹果审核，第三次被打回了", "卡在苹果审核"),),
        counterexamples=("卡住了，是不是死循环",),
    ),
    Pattern(
        name="project.due_on", predicate="deadline",
        regex=rf"(?:{OF_ME}|这个)?(?P<subject>{_NOT_PROJECT}[^，。！？：:是]{{0,10}}?(?:v\d[\d.]*|版本|项目|[一二三]期|新版|sprint|迭代|里程碑|验收|交付|封版|提测|上线|发布|截止日期|交付日|交付时间))(?:计划|预计|要|的时间|日期|时间|整体|又|往后|必须){{0,2}}(?:定在|是|在|到|延到|延期到|推迟到|改到|提前到|为|[：:])?\s?(?P<object>{WHEN}|\d{{1,2}}[/.]\d{{1,2}}|\d{{1,2}}月\d{{1,2}}|二月底)(?:之?前)?(?:发布?|上线|交付|结束|截止|提测|封版|验收)?(?:了)?(?:[，,]?不是[^，。！？]{{1,8}})?{SOFT}{END}",
        examples=(("v2 定在14号发", "v2 | 14号"), ("项目截止日期6月30，合同里写死的", "项目截止日期 | 6月30"), ("这个 sprint 到下周五结束", "sprint | 下周五"), ("验收往后延到六月底", "验收 | 六月底")),
        counterexamples=("截止日期是什么时候",),
    ),
    Pattern(
        name="project.way_of_work", predicate="project_state",
        regex=rf"(?:{ME}(?:们)?(?:组|团队|项目)?|团队|项目|仓库|sprint)(?:现在|目前|都|一直)?(?:是|走|用|采用)?(?P<object>(?:双周|单周|两周|一周|三周)(?:一)?(?:迭代|个sprint|一轮|发版)|trunk-based[^，。！？]{{0,8}}|gitflow|敏捷|瀑布|scrum|Scrum|看板)(?:的)?{SOFT}{END}",
        examples=(("我们是双周迭代，周四封板", "双周迭代"),),
        counterexamples=("敏捷是什么",),
    ),
    Pattern(
        name="project.renamed", predicate="project_state",
        regex=rf"(?:{OF_ME}|这个)?(?P<subject>仓库|项目|产品|包名|域名|服务)(?:已经|刚)?(?:改名(?:了|叫|成|为)?|换名(?:了|成)?)[，,]?(?:从[^，。！？]{{1,20}}?)?(?:变成|改成|改叫|叫|成|到)(?P<object>[^，。！？]{{2,20}}){END}",
        examples=(("仓库改名了，从 shiguang-web 变成 lumen", "仓库 | lumen"),),
        counterexamples=("仓库改名了",),
    ),
    Pattern(
        name="project.must_support", predicate="project_state", whole=True,
        regex=rf"{ME}(?:们)?(?:这个)?(?P<object>(?:库|项目|系统|产品|App|服务|接口)(?:必须|得|要)(?:兼容|支持|适配|跑在|保证)[^，。！？]{{2,24}})",
        examples=(("我们这个库必须兼容 Python 3.9，客户机器升不了", "库必须兼容Python 3.9"),),
        counterexamples=("库必须先装",),
    ),
    Pattern(
        name="project.we_use", predicate="built_with",
        regex=rf"{ME}们(?:组|团队|公司|这边|项目)?(?:现在|目前|都|一直|统一|微调的底座|底座){{0,2}}(?:用的?是?|采用的?是?|跑的是|走的是|是)\s?(?P<object>(?-i:[A-Za-z])[A-Za-z0-9_.+# -]{{1,30}})(?:[一-龥]{{0,4}})?{SOFT}{END}",
        examples=(("我们用的是 pnpm workspace，别敲 npm install", "pnpm workspace"),),
        counterexamples=("我们用完了",),
    ),
)
