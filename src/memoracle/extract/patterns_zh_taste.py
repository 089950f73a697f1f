"""Chinese: what somebody likes, prefers and dislikes, and the standing rules they set."""

from __future__ import annotations

from memoracle.extract.pattern import Pattern
from memoracle.extract.pieces_zh import ADV, END, HERE, ME, OF_ME, OTHER, SOFT, THING, maybe, me, who
from memoracle.model.claim import Stance

_DO = r"(?:吃|喝|看|听|玩|用|去|做|打|逛|穿|读|写|住|坐|养|学)"
_LIKE = (
    r"(?:喜欢|喜爱|热爱|偏爱|钟爱|偏好|酷爱|痴迷于?|着迷于?|迷上了?|爱上了?|沉迷于?|独爱|钟情于?|中意|享受)"
)
_LOVE = r"爱(?!情|心|人|了|死|你|他|她|莫|好|谁|因|国|上|理|搭|咋|怎|丁|沙|尔|奇|迪|立)"
_THIS = r"(?!这|那|你|您|它|上面|下面|第[一二三四]|刚才|现在的?(?:效果|版本|样子)|了|上了?你|什么|谁|哪)"
_SINCE = r"(?:以后|今后|往后|从现在(?:开始|起)|从今(?:天|往|以)?(?:以?后|开始|起|往后)|从此(?:以后)?(?=[，,]?(?:你|请|都|一律|别|不要))|打今儿?起|之后的?(?=[，,]?(?:[^，。]{0,6})?(?:都|一律|请|你)))"
_LATER = r"(?!再说|再聊|再看|有空|有机会|会|我|可能|小心|注意|就知道|的(?:事|计划|日子|路)|慢慢|肯定|应该|才|我?再也|想|叫我|喊我|称呼我(?!用)|还|估计|怎|还是|就会|就是|得(?:小心|注意)|再|计时|做一个|你就叫|就叫|生了|照办|得逐|\d{1,2}[:：]\d)"
_SLOW = r"(?!等|花|重启|重新|卡|报|崩|失败|超时|出错|会|是|出现|这样|很|慢|忘|被|有|要等|得等|输)"
_STYLE = r"(?:回复|回答|答复|解释|说明|注释|代码|文档|提交信息|commit(?: message)?s?|变量名?|函数名|命名|邮件|报告|时间|日期|金额|单位|图表|标题|标点|格式|输出|总结|翻译|价格|货币|报价单?|方案|周报|日报|会议纪要|PR|缩进|测试|接口|日志|表格|语气|称呼)"

# fmt: off
PATTERNS: tuple[Pattern, ...] = (
    Pattern(
        name="preference.no_longer", predicate="likes", stance=Stance.DENY,
        regex=rf"{who('')}(?:不再|已经不|不|没(?:以前|之前)?那么)(?:那么|怎么|太|再)?(?:喜欢|爱|迷|热衷于?)(?P<object>{_THIS}[^，。！？]{{1,24}}?)了{SOFT}{END}",
        examples=(("我不再喜欢摇滚了", "摇滚"), ("我现在不喜欢喝咖啡了", "喝咖啡"), ("我已经不爱吃甜的了", "吃甜的")),
        counterexamples=("我不喜欢咖啡",),
    ),
    Pattern(
        name="preference.gave_up", predicate="likes", stance=Stance.DENY,
        regex=rf"{me('')}(?:已经|刚|成功)?戒(?:掉|了)?(?P<object>烟|酒|咖啡|糖|奶茶|碳水|可乐|游戏|短视频|甜食|辣|夜宵|槟榔|茶|网)(?:了|[^，。]{{0,8}}了)?{SOFT}{END}",
        examples=(("我戒烟了", "烟"), ("我戒咖啡了", "咖啡")),
        counterexamples=("戒烟有什么好处",),
    ),
    Pattern(
        name="preference.favourite", predicate="favourite",
        regex=rf"(?:{ME}|{OTHER})(?:平时|一直|个人|这辈子)?最(?:喜欢|爱|喜爱|常|欣赏|崇拜)(?:{_DO})?的(?P<about>[^，。！？是]{{0,12}}?)(?:就|还|永远)?(?:是|叫)(?P<object>{_THIS}[^，。！？]{{1,30}})",
        examples=(("我最喜欢的作家是汪曾祺", "作家: 汪曾祺"), ("我最爱吃的是我妈做的腊味煲仔饭", "我妈做的腊味煲仔饭")),
        counterexamples=("你最喜欢的作家是谁", "我最喜欢的是这个方案"),
    ),
    Pattern(
        name="preference.my_favourite", predicate="favourite",
        regex=rf"(?P<object>(?!这|那|它|他|她|你)[^，。！？我]{{1,16}})(?:一直|永远|才|绝对|就){{0,2}}是{OF_ME}(?:的)?(?:最爱|本命|心头好|白月光|快乐源泉)",
        examples=(("螺蛳粉是我的最爱", "螺蛳粉"),),
        counterexamples=("这是我的最爱",),
    ),
    Pattern(
        name="preference.the_favourite", predicate="favourite",
        regex=rf"{OF_ME}的?(?:最爱|心头好|本命)(?:一直|永远|就)?是(?P<object>{_THIS}[^，。！？]{{1,20}})",
        examples=(("我的最爱是火锅", "火锅"),),
        counterexamples=("我的最爱是什么",),
    ),
    Pattern(
        name="preference.rather", predicate="prefers",
        regex=rf"(?:(?:比起|相比|相较于?)[^，。！？]{{1,20}}?|(?:跟|和|与|相对)[^，。！？]{{1,20}}?(?:相比|来说|比))(?:相比|来说)?[，,]?{ME}?(?:还是|{ADV})(?:更|比较|偏)?(?:喜欢|爱|倾向于?|偏好|习惯|愿意|适合)(?P<object>{_THIS}[^，。！？]{{1,30}})",
        examples=(("比起咖啡我更喜欢喝茶，尤其是凤凰单丛", "喝茶"), ("跟邮件相比我更喜欢微信", "微信")),
        counterexamples=("比起这个我更喜欢那个",),
    ),
    Pattern(
        name="preference.prefers", predicate="prefers",
        regex=rf"(?:{ME}{ADV}|{OTHER}{ADV})(?:更|宁愿|宁可|偏|比较|还是)(?:喜欢|爱|倾向于?|偏好|愿意|适合|习惯于?|向于?|想要)?(?P<object>(?<=[愿可欢爱向于好意合惯要]){_THIS}{HERE}[^，。！？]{{1,30}})",
        examples=(("我现在更喜欢用uv", "用uv"), ("我更适合早上工作，效率高一点", "早上工作"), ("我宁愿走路也不打车", "走路也不打车"), ("我更倾向于函数式", "函数式")),
        counterexamples=("我更喜欢这个", "我更喜欢第二个"),
    ),
    Pattern(
        name="preference.likes", predicate="likes",
        regex=rf"{who('')}(?:{_LIKE}|{_LOVE})(?P<object>(?!的){_THIS}{HERE}[^，。！？]{{1,30}})",
        examples=(("我喜欢简洁的回答", "简洁的回答"), ("我老婆喜欢靠窗的位置", "老婆 | 靠窗的位置"), ("我特别喜欢爬山，一有空就往黄山跑", "爬山"), ("我爱吃螺蛳粉", "吃螺蛳粉"), ("我偏爱深色主题", "深色主题"), ("我喜歡貓", "猫")),
        counterexamples=("我喜欢这个效果", "我喜欢你这么说", "我爱了爱了", "我爱你", "我不喜欢咖啡"),
    ),
    Pattern(
        name="preference.topic", predicate="likes",
        regex=rf"(?!这|那|你|他|她)[^，。！？我你他]{{1,8}}{ME}{ADV}(?:{_LIKE}|{_LOVE})(?P<object>{_THIS}{HERE}[^，。！？]{{1,30}})",
        examples=(("旅行我喜欢自由行，不喜欢跟团", "自由行"),),
        counterexamples=("这张图我喜欢这个配色",),
    ),
    Pattern(
        name="preference.changed", predicate="prefers", stance=Stance.CORRECT,
        regex=rf"{me('')}改(?:喝|吃|穿|听|骑|坐|玩)(?P<object>[^，。！？]{{2,16}}?)了?{SOFT}{END}",
        examples=(("我改喝无糖可乐了", "无糖可乐"),),
        counterexamples=("我改看第二行",),
    ),
    Pattern(
        name="preference.elided", predicate="likes",
        regex=rf"(?:平时|一直|特别|最|就|还|也|都|从小|尤其|很|非常){{1,3}}(?:喜欢|爱)(?P<object>(?!里面|的是|的|其中|说|[^，。！？]{{1,16}}的人)(?:{_DO})?{_THIS}{HERE}[^，。！？]{{1,20}}){END}",
        examples=(("平时喜欢打羽毛球", "打羽毛球"), ("特别爱吃辣", "吃辣")),
        counterexamples=("很喜欢这个", "你平时喜欢尝试做菜"),
    ),
    Pattern(
        name="preference.habit", predicate="prefers",
        regex=rf"(?:[^，。！？我你他]{{1,10}})?{ME}(?:都|一般|更|还是|平时|一直|比较|个人){{0,3}}(?:习惯(?:了)?(?:用|于|先|在|喝|吃|早|晚|把)?|爱用|喜欢用|偏好|倾向于?)(?P<object>(?!了|吗|性|的?不是){_THIS}{HERE}[^，。！？]{{1,24}})",
        examples=(("代码风格我习惯用四个空格", "四个空格"), ("我习惯早起", "起")),
        counterexamples=("我习惯了", "我还不习惯这个界面"),
    ),
    Pattern(
        name="preference.usually", predicate="prefers",
        regex=rf"(?:[^，。！？我你他]{{1,10}})?{ME}(?:一般|通常|总是|从来|向来|每次|基本|永远|一直|平时|只){{1,2}}(?:都|只|就)?(?P<object>(?:选|挑|点|坐|喝|吃|买|穿)(?!择题|完|了|过|不){_THIS}{HERE}[^，。！？了]{{2,20}})",
        examples=(("坐飞机我一般选靠过道的位子", "选靠过道的位子"), ("我一般喝美式", "喝美式")),
        counterexamples=("我一般选了就走", "我每次点这个都报错"),
    ),
    Pattern(
        name="preference.always_orders", predicate="prefers",
        regex=rf"(?!这|那|你|他|她)[^，。！？我你他]{{2,10}}{ME}都(?P<object>(?:选|点|坐|喝|吃|买|穿|要)(?!了|完|过|不|好|到|值班|上班|加班)[^，。！？了]{{2,16}}){END}",
        examples=(("点奶茶我都点三分糖", "点三分糖"),),
        counterexamples=("这些我都吃过", "作业我都做完了"),
    ),
    Pattern(
        name="preference.interest", predicate="likes",
        regex=rf"{who('')}对(?P<object>{_THIS}[^，。！？不没]{{1,16}}?)(?:一直|都|也)?(?:很|非常|特别|比较|挺|蛮|超级?|十分|颇|最|更|情有|越来越|有点){{0,2}}(?:感兴趣|有兴趣|着迷|上瘾|独钟|痴迷)",
        examples=(("我对天文很感兴趣", "天文"), ("我对中国菜也很感兴趣", "中国菜")),
        counterexamples=("我对恐怖片完全不感兴趣", "我对这个感兴趣"),
    ),
    Pattern(
        name="preference.hobby", predicate="likes",
        regex=rf"(?:{ME}|{OTHER})?的?(?:兴趣|业余|平时的?)?(?:爱好|兴趣)(?:主要|就)?(?:是|有|包括|[：:]){THING}",
        examples=(("我的爱好是摄影", "摄影"), ("我平时的爱好是钓鱼", "钓鱼")),
        counterexamples=("你的爱好是什么",),
    ),
    Pattern(
        name="preference.fan", predicate="likes",
        regex=rf"{me('')}是(?:一个|个|一名|一位)?(?:资深|铁杆|忠实|多年的?|十年){{0,2}}(?P<object>[^，。！？的我]{{1,12}})的?(?:铁?粉丝?|发烧友|爱好者|球迷|死忠粉?)",
        examples=(("我是陈奕迅的粉丝", "陈奕迅"), ("我是资深咖啡爱好者", "咖啡")),
        counterexamples=("我是你的粉丝",),
    ),
    # dislike
    Pattern(
        name="dislike.not_interested", predicate="dislikes",
        regex=rf"{who('')}对(?P<object>{_THIS}[^，。！？]{{1,16}}?)(?:一直|都|也|完全|真的?|实在|根本|向来){{0,2}}(?:不感兴趣|没(?:什么|有|啥)?兴趣|不感冒|无感|没感觉|提不起兴趣|很反感|反感)",
        examples=(("我对恐怖片完全不感兴趣", "恐怖片"), ("我对足球没什么兴趣", "足球")),
        counterexamples=("我对天文很感兴趣",),
    ),
    Pattern(
        name="dislike.hates", predicate="dislikes",
        regex=rf"{maybe('')}(?:讨厌|厌恶|不喜欢|不太喜欢|不是很喜欢|不怎么喜欢|从不喜欢|不大喜欢|不爱|受不了|受不住|忍不了|忍受不了|无法忍受|不能忍受?|看不惯|反感|嫌弃|受够了|痛恨|恨死|恨|吃不惯|喝不惯|用不惯|不习惯|不适应|接受不了|没法接受|无法接受|不能接受|抵触|排斥|(?<=[最很烦别常])烦(?=那|别人|[一-龥]{{2}}))(?:别人|人家|那种|那些|有人){{0,2}}(?P<object>(?!死|了|不|透|他|她|我自己|得|啦|就|周一|星期一){_THIS}{HERE}[^，。！？]{{1,30}})",
        examples=(("我讨厌香菜", "香菜"), ("受不了太甜的东西", "太甜的东西"), ("我不喜欢别人给我打电话，发消息就好", "给我打电话"), ("我儿子不爱吃胡萝卜", "儿子 | 吃胡萝卜"), ("我挺反感PUA式的管理", "PUA式的管理"), ("我特别烦那种一上来就道歉的回复", "一上来就道歉的回复")),
        counterexamples=("我讨厌这个bug", "烦死了", "我受不了了"),
    ),
    Pattern(
        name="dislike.afraid", predicate="dislikes",
        regex=rf"{who('')}怕(?P<object>辣|冷|热|黑|狗|蛇|虫子?|蟑螂|老鼠|吵|高|水|打针|坐飞机|社交|生人|吃辣|吃苦|苦|胖|痒|鬼|打雷|血){SOFT}{END}",
        examples=(("我特别怕狗", "狗"), ("我怕吵", "吵")),
        counterexamples=("我怕来不及",),
    ),
    Pattern(
        name="dislike.not_mine", predicate="dislikes",
        regex=r"(?P<object>(?!这|那|它|他|她|你)[^，。！？我]{1,12})(?:真的|实在)?(?:不是我的菜|我(?:真的|实在|完全)?(?:欣赏|爱|喜欢)不(?:来|起来)|不合我胃口|不对我胃口|我(?:是|真的?|实在|完全){1,2}(?:不行|受不了|接受不了|吃不了|无感))",
        examples=(("恐怖片不是我的菜", "恐怖片"), ("榴莲我实在受不了", "榴莲")),
        counterexamples=("这个不是我的菜",),
    ),
    # rule
    Pattern(
        name="rule.no_longer", predicate="wants_always", stance=Stance.DENY, label_free=True, whole=True,
        regex=rf"(?:你)?(?:{_SINCE})?[，,]?(?:你)?(?:也|就|都)?(?:不用|不必|无需|不需要)(?:再|每次|总是?|老是?|一直)(?:都)?(?P<object>[^。！？，]{{3,40}}?)(?:了)?{SOFT}{END}",
        examples=(("你以后不用每次都问我能不能跑命令了", "问我能不能跑命令"), ("以后不用再发周报了", "发周报")),
        counterexamples=("不用谢", "不用了"),
    ),
    Pattern(
        name="rule.never_since", predicate="wants_never", label_free=True, whole=True,
        regex=rf"(?:你|请|那)?{_SINCE}[，,：:\s]{{0,2}}(?!我)(?:请|你|都|就|千万|也|绝对|再也|永远|在|给我){{0,3}}(?P<object>(?:[^。！？，]{{0,20}}?)(?:别|不要|不准|不许|不用|禁止|勿|少)(?!忘|客气|担心|的)[^。！？]{{2,60}})",
        examples=(("以后别用表情", "别用表情"), ("从现在开始不要给我写注释", "不要给我写注释")),
        counterexamples=("以后再说", "以后我不要加班"),
    ),
    Pattern(
        name="rule.since", predicate="wants_always", label_free=True, whole=True,
        regex=rf"(?:你|请|那)?{_SINCE}[，,：:\s]{{0,2}}{_LATER}(?![^。]{{0,40}}(?:被坑|吃亏|大亏|翻车|教训))(?:请|你|都|就|一律|统一|务必){{0,3}}{_LATER}(?P<object>[^。！？]{{2,80}})",
        examples=(("以后都用中文回复我", "用中文回复我"), ("从现在起，提交代码之前一定要先跑测试", "提交代码之前一定要先跑测试"), ("今后凡是涉及金额的地方一律用人民币", "凡是涉及金额的地方一律用人民币"), ("以後都用繁體回覆", "用繁体回覆")),
        counterexamples=("以后再说", "以后有机会去北京", "以后小心", "以后我想去冰岛"),
    ),
    Pattern(
        name="rule.every_time", predicate="wants_always", label_free=True, whole=True,
        regex=rf"(?:你|请)?每(?:次|回|当|逢|个|天|篇|条|份|周[一二三四五六日末]?|月|晚|早)(?!我|都(?:等|花|重启|重新|卡|报|崩|失败|超时|出错))(?P<object>[^，。！？]{{0,24}}?[，,]?(?:都要|要先|必须|务必|都得|请|先|记得|一定要?|都给我|都别|都不要|都用|都写|都加|都附|都先|给我|要附|要写|要加|要带|不要|别){_SLOW}[^。！？，]{{1,40}})",
        examples=(("每次改数据库结构都要写迁移脚本，记住了", "改数据库结构都要写迁移脚本"), ("每次提交前请先跑一遍测试", "提交前请先跑一遍测试")),
        counterexamples=("每次都报错", "每次我启动都要等很久", "每次都要等很久"),
    ),
    Pattern(
        name="rule.all", predicate="wants_always", label_free=True, whole=True,
        regex=r"(?P<object>(?!我(?:们)?|他|她|这[个些]?|那[个些]?|[^，。！？]{0,6}(?:规定|考场|学校|景区|公告|小区|通知))[^，。！？我]{0,24}?(?:一律|一概|统统)(?!不行|平等|让我|\d|不放|不信|罚|[一二三四五六七八九]折)[^。！？，]{1,40})",
        examples=(("报价单一律含税", "报价单一律含税"), ("凡是涉及金额的地方一律用人民币", "凡是涉及金额的地方一律用人民币")),
        counterexamples=("我一律不知道",),
    ),
    Pattern(
        name="rule.always", predicate="wants_always", label_free=True, whole=True,
        regex=rf"(?:请|你|麻烦){{0,2}}(?:[^，。！？我]{{2,16}}?(?:的时候|时|之前|之后|前|后)[，,]?)?(?P<object>(?:永远|始终|务必|总是|一定要|必须(?:始终|一直|都)?)(?:都|要|得|先|请|给我)?(?:用|使用|先|写|加|保持|按|带|给|把|跟|以|检查|确认|注明|附上?|称呼|说|遵守)(?!户|完|了|的){HERE}[^。！？，]{{1,40}})",
        examples=(("永远用“您”，客户很在意这个", "永远用“您"), ("写文档的时候，永远用“您”", "永远用“您"), ("务必先备份再升级", "务必先备份再升级")),
        counterexamples=("这里必须先加锁", "必须先修这个bug"),
    ),
    Pattern(
        name="rule.all_such", predicate="wants_always", label_free=True, whole=True,
        regex=r"(?P<object>(?:凡是?|所有|任何|但凡|只要是?|一切)(?!我|他|她|人都|测试)[^，。！？]{1,20}?[，,]?(?:都要|都得|都必须|必须|一律|都先|都用|都给我|都不要|都别|都不能)(?!了|等|会|有)[^。！？，]{2,40})",
        examples=(("凡是数据库改动都要先问我", "凡是数据库改动都要先问我"),),
        counterexamples=("所有测试都通过了", "所有人都走了"),
    ),
    Pattern(
        name="rule.must_stay", predicate="wants_always", label_free=True, whole=True,
        regex=r"(?P<object>(?!我|这|那|他|她)[^，。！？]{2,20}?必须(?:一直|始终|随时|全程|时刻|都)[^。！？，]{2,30})",
        examples=(("孩子房间的药柜必须一直锁着，这个很重要", "孩子房间的药柜必须一直锁着"),),
        counterexamples=("我必须一直等",),
    ),
    Pattern(
        name="rule.default", predicate="wants_always", label_free=True, whole=True,
        regex=r"(?P<object>默认(?![^，。]{0,4}(?:勾|选中|值|展开|隐藏))(?:情况下[，,]?)?(?:都|就|请|给我|给出|用|使用|按|走|以|不要|别|回复|输出|不加|先)(?!户)[^。！？，]{2,40})",
        examples=(("默认给我三个方案，别只给一个", "默认给我三个方案"), ("默认用TypeScript", "默认用TypeScript")),
        counterexamples=("默认端口是8080", "默认值是空"),
    ),
    Pattern(
        name="rule.language", predicate="wants_always", label_free=True, whole=True,
        regex=r"(?:你|请|麻烦|记得|都|只){0,3}(?P<object>(?:用|使用|以)(?:简体|繁体)?(?:中文|英文|英语|日语|日文|法语|德语|西班牙语|粤语|普通话|大白话|白话|书面语|口语|敬语|简短的话)(?:来|跟我|和我|给我|向我){0,2}(?:回复|回答|交流|沟通|说话|对话|答复|回我|聊)(?!一下|这|上)[^，。！？]{0,4})",
        examples=(("请用中文回复我", "用中文回复我"), ("只用英语跟我交流", "用英语跟我交流")),
        counterexamples=("用中文写一篇作文", "用英文回复这封邮件", "用中文回答一下这个"),
    ),
    Pattern(
        name="rule.style", predicate="wants_always", label_free=True, whole=True,
        regex=rf"(?P<object>(?:{OF_ME}|给我的?|你的?|所有的?|写|发){{0,2}}{_STYLE}{{1,2}}(?:里|中|的时候|时|上|内容)?(?:请|都|要|一律|统一|必须|尽量|最好|一定要?|总是|只能|应该|得|全部|全都?){{1,3}}(?:用|使用|写成?|按|以|控制|简短|简洁|保持|带|加|附|走|先|小写|大写|中文|英文|精确|标|放|遵循|不要|别|不能|不超过)(?!这|上面|到了?)[^。！？，]{{0,40}})",
        examples=(("注释都用英文写", "注释都用英文写"), ("回答尽量简短", "回答尽量简短"), ("日期统一用ISO格式", "日期统一用ISO格式")),
        counterexamples=("代码要用这个版本", "测试都通过了"),
    ),
    Pattern(
        name="rule.language_short", predicate="wants_always", label_free=True, whole=True,
        regex=rf"(?P<object>(?:回复|回答|注释|文档|提交信息|commit message|交流|沟通)(?:我)?(?:请)?用(?:简体|繁体)?(?:中文|英文|英语|日语|日文|粤语))(?:就好|就行|吧|即可)?{SOFT}{END}",
        examples=(("回复用中文", "回复用中文"),),
        counterexamples=("回复用中文的那封邮件",),
    ),
    Pattern(
        name="rule.not_in", predicate="wants_never", label_free=True, whole=True,
        regex=r"(?:请|你)?(?P<object>(?:不要|别|不准|不许|禁止)(?:再)?在(?!这|那|此|第|上面|下面|该|当前|现在)[^，。！？]{1,16}?(?:里面?|中|上|内|后面|前面|之?前|之?后|的时候|时)(?:面)?(?:加|用|写|放|出现|使用|添加|留|带|给我|安排|打扰|发|提交|部署)[^。！？，]{1,24})",
        examples=(("不要在commit message里加表情", "不要在commit message里加表情"), ("别在晚上十点后给我发消息", "别在晚上十点后给我发消息")),
        counterexamples=("不要在这个文件里加注释", "先别动配置文件"),
    ),
    Pattern(
        name="rule.on_your_own", predicate="wants_never", label_free=True, whole=True,
        regex=r"(?:请|你)?(?P<object>(?:不要|别|不准|不许)(?:擅自|私自|随便|自作主张|自动|主动|未经同意)[^。！？，]{2,30})",
        examples=(("不要擅自改我的标题，永远不要", "不要擅自改我的标题"),),
        counterexamples=("不要动",),
    ),
    Pattern(
        name="rule.stop", predicate="wants_never", label_free=True, whole=True,
        regex=r"(?:请|你|麻烦)?(?P<object>(?:别|不要)(?:再|总是?|老是?|动不动就?|一上来就|每次都)(?:给我|跟我|对我|用|说|写|加|道歉|发|问我|叫我|使用|重复|自作主张)(?!这|那|一遍|了)[^。！？，]{0,30})",
        examples=(("别再用表情了", "别再用表情了"), ("不要总是道歉", "不要总是道歉")),
        counterexamples=("别再问了", "不要再改这行"),
    ),
    Pattern(
        name="rule.i_want", predicate="wants_always", label_free=True, whole=True,
        regex=rf"{ME}(?:希望|想让|要求|要|需要|想要|想请)你(?P<object>(?:以后|每次|总是|一直|始终|尽量|回答时|回复时|回答的时候|今后|平时|都)(?:都|要)?[^。！？]{{2,50}})",
        examples=(("我希望你每次都先给结论", "每次都先给结论"),),
        counterexamples=("我需要你写一首关于秋天的诗", "我想让你看看这个"),
    ),
    Pattern(
        name="rule.whenever", predicate="wants_always", label_free=True, whole=True,
        regex=r"(?P<object>(?:(?:回复|回答)我?(?=时|的时候)|(?:只要是?|凡是?|但凡|一旦|所有|任何|遇到|涉及|碰到|写|改|提交|发布|部署|回复我?|回答我?|翻译|推荐|订|做|生成|重构|安排)(?!我|他|她)[^，。！？]{1,24}?)(?:的时候|时候?|之前|之后|前|的地方|的话|的|后)[，,]?(?:都|请|一定要?|必须|务必|先|记得|永远|都要|一律|要先|优先|尽量|别|不要|得先)(?!报|会|有|是|出)[^。！？]{2,40})",
        examples=(("提交代码之前一定要先跑测试", "提交代码之前一定要先跑测试"), ("写文档的时候，永远用“您”，客户很在意这个", "写文档的时候，永远用“您”，客户很在意这个"), ("所有涉及金额的地方都保留两位小数", "所有涉及金额的地方都保留两位小数"), ("回复我时不要用列表", "回复我时不要用列表")),
        counterexamples=("所有的都改了", "写这个的时候报错了", "部署之后都会重启"),
    ),
)
