"""Pieces that Chinese patterns are built from. Every run is bounded, so that every pattern stays linear."""

from __future__ import annotations

from memoracle.extract.lexicon_zh import KIN as _KIN
from memoracle.extract.lexicon_zh import SURNAMES

END = r"(?=[，。！？；,!?;：:、（(…～~]|$)"
"""Where a clause or a listed thing ends."""
SOFT = r"(?:了|啦|哦|呢|吧|呀|嘛|哈|噢|喔|啊|的|哟|咯|滴|嘞){0,3}"
"""Particles that close a clause."""
THING = r"(?P<object>[^，。！？；,!?;：:\n]{1,48})"
"""Whatever stands up to the end of its clause; `objects.clean` takes particles off."""
SENTENCE = r"(?P<object>[^。！？!?\n]{2,160})"
ADV = (
    r"(?:现在|目前|如今|特|忒|贼|巨|老|一直|平时|平常|日常|通常|一般|其实|都|也|还|就|又|真的?|特别|非常|很|超级?|挺|蛮|比较|尤其|从小|从来|向来|确实"
    r"|已经|早就|刚|刚刚|最近|本来|主要|基本上?|自己|个人|有点儿?|有些|稍微|相当|十分|极其|今年|去年|前年|上个?月|上周|昨天|这两年|这几年|老是"
    r"|总是|总|经常|常|常常|每天|人|正|正在|完全|实在|根本|才|只|依然|依旧|仍然|仍|终于|当时|同时|曾|曾经|毕业后|长期|严重|尤其|本人|打小|天生|最|更|好|大学|这辈子|一向){0,4}"
)
ME = r"(?:(?:我|俺|本人|咱|在下(?![一面个班雨午方载次周月])|鄙人|敝人|敝公司|小弟(?!弟)|小女子)们?(?:自己|本人|个人|这边|这人|这个人|这儿|这里)?)"
OF_ME = r"(?:(?:我|咱|俺)们?家?的?)"
KIN = "(?:" + "|".join(_KIN.values()) + ")"
_NOT_IN_NAMES = "的了是在有不我你他她它和与跟对把被也都很就还要会能让给从到说叫做去来上下这那个们吗呢吧啊喜讨现今昨目最住用想没已今几点号"
LETTER = rf"(?-i:(?![{_NOT_IN_NAMES}])[一-龥])"
_COMPOUND = "(?:欧阳|司马|诸葛|上官|慕容|令狐|皇甫|夏侯|东方|端木|尉迟|长孙|独孤|公孙)"
TITLE = r"(?:总|姐|哥|工|老师|经理|主任|董|导|博士|教授|医生|大夫|叔|阿姨|律师|师傅|先生|女士|小姐|同学|院长|校长|处长|局长)"
LATIN_NAME = r"(?-i:[A-Z][A-Za-z'·-]{1,20}(?: [A-Z][A-Za-z'-]{1,20}){0,2})"
PERSON = rf"(?:(?!高级|高度|高中|高血|高铁|法考|安全|成人)(?:{_COMPOUND}|(?-i:[{SURNAMES}]))(?:{TITLE}|{LETTER}{{1,2}})|[小老阿](?![师家学说概小是心时多人孩区组程伙约部事实量型众麦米狗猫板婆公妈爸弟哥姐妹大熊熟房号姨声写便票]){LETTER}|{LATIN_NAME})"
"""A name by its shape: a surname and one or two letters, 小/老/阿 and one, or capitals."""
CALLED = r"(?:[一-龥]{1,5}(?:·[一-龥]{1,6}){0,2}|[A-Za-z][\w'·. -]{0,24}|[一-龥]{1,3}[A-Za-z]{1,12})"
"""A name where only a name can stand."""
OTHER = rf"(?:{OF_ME}?(?:{KIN}(?={PERSON}))?(?P<subject>{KIN}|{PERSON}))"
KINNED = rf"(?:{OF_ME}?(?P<subject>{KIN}))"
"""Somebody of the speaker's life, by what they are to them."""
DAY = (
    r"(?:大?后天|明[天日早晚儿]|今[天晚]|(?:下下|下|这|本)?个?(?:周|星期|礼拜)[一二三四五六日天末]|(?:下下|下|这|本)个?(?:周|星期|礼拜|月)"
    r"(?:[一二三四五六七八九十廿\d]{1,3}[号日]|底|初|中旬)?|[一二三四五六七八九十\d]{1,2}月(?:[一二三四五六七八九十廿\d]{1,3}[号日]?|底|初|中旬|份)?"
    r"|[一二三四五六七八九十廿\d]{1,3}[号日](?![楼线院店码机])|月底|月初|年底|年初|周末|明年|\d{4}[-/年]\d{1,2}[-/月]\d{1,2}[日号]?"
    r"|[一二两三四五六七八九十几\d]{1,3}(?:天|周|个月|个星期)(?:之?后|以后))"
)
CLOCK = (
    r"(?:(?:凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里)?\s?(?:\d{1,2}|[一二两三四五六七八九十]{1,3})(?:点|[:：]\d{2})(?:钟|整|半|[一三]刻|[\d一二三四五六七八九十]{1,3}分?)?"
    r"|凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里)"
)
WHEN = rf"(?:{DAY}(?:的)?(?:{CLOCK})?|{CLOCK})"
NOT_A_TOPIC = r"(?!这|那|此|该|某|什么|怎么|为|谁|哪|几|今|昨|明|刚|现|如果|要是|假如|帮|请|把|将|给|别|不|没|先|再|又|还|都|也|就|才|真|太|好|很|最|更|听|看|说|让|被|从|在|对|跟|和|用|有|是|会|能|想|要|得|可|应|已|正|快|总|所以|因为|但|而|只|全|谢|所有|任何|一律|一概|于|其|各|本来|反|以|每|比|除|随|甚)"
TOPIC = rf"(?P<object>{NOT_A_TOPIC}[^，。！？；：:\s我你您他她它们]{{1,14}}?)"
"""What stands first and is talked about: “辣的我不碰”."""
HERE = r"(?![^，。！？]{0,8}(?:这[个段行条张份里边种]|那[个段行条张份里边]|第[一二三四\d][个种段]))"
"""Not “this one” and not “that line”."""
NOW_AT_HAND = r"(?![^，。！？]{0,12}(?:这个(?!月|周|星期|季度|学期|假期)|这[段行条张份里边]|那[个段行条张份里边]|函数(?!式)|代码|变量|文件|bug|BUG|分支|PR|脚本|报错|接口|日志|表格|注释|用例|参数|配置|截图|第[一二三四\d]))"
"""Not about what lies on the table now."""


def who(rest: str) -> str:
    """The speaker, or somebody of their life, and what is said of them."""
    return rf"(?:{ME}{ADV}|{OTHER}{ADV}){rest}"


def maybe(rest: str) -> str:
    """The same, where the speaker may go unnamed."""
    return rf"(?:{ME}?{ADV}|{OTHER}{ADV}){rest}"


def me(rest: str) -> str:
    """The speaker, and what is said of them."""
    return rf"{ME}{ADV}{rest}"
