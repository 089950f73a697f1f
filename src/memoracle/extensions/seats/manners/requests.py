"""The rules about requests, in both languages: what makes one vague, ambiguous, wide, costly or irreversible. Data.

A rule is a reason and a pattern; patterns are bounded and begin with a word. What anchors a request (a file, a number,
a quotation, a name in code) takes vagueness away.
"""

from __future__ import annotations

import re

_I = re.IGNORECASE

STOP = re.compile(
    r"\bjust (?:do it|go|fix it|ship it)\b|\b(?:do not|don't|no need to|without) ask(?:ing)?\b"
    r"|\bno (?:more )?questions\b"
    r"|\bstop asking\b|\bgo ahead\b|\bproceed\b|\byour call\b|\bskip the questions\b"
    r"|直接(?:做|改|干|弄|上|开始|执行)|别(?:再)?问|不(?:用|要|必)(?:再)?(?:问|确认)|照做"
    r"|你(?:看着办|决定|定)(?:吧|就行|就好)?|马上做|放手做",
    _I,
)
"""The operator wants it done, not discussed."""

NOTHING = re.compile(
    r"\W*(?:hi|hello|hey|thanks?(?: you)?|ok(?:ay)?|yes|yep|no|nope|sure|good|great"
    r"|continue|go on|next|carry on|done|stop|[A-D]"
    r"|你好|您好|谢谢|好的?|好了|嗯+|是的?|不是?|对|行|可以|继续|接着(?:做|来)?|下一步|停|收到|明白)\W*",
    _I,
)
"""A greeting, an answer or a word to go on: nothing that could be clarified."""

THINK = re.compile(
    r"\bthink (?:it |this )?(?:along|through|together|with me)\b|\bbrainstorm\b"
    r"|\bwhat (?:do|would) you (?:think|suggest|recommend)\b"
    r"|\bhelp me (?:think|decide|choose|figure)\b|\blet'?s (?:discuss|think|explore)\b|\bpros and cons\b"
    r"|\bwhich (?:one )?(?:is|would be) better\b"
    r"|一起想|帮我想|想想看|头脑风暴|讨论(?:一下|下)|商量|你(?:怎么看|觉得|建议)|出(?:个|点)?主意"
    r"|哪个(?:更)?好|利弊",
    _I,
)

IRREVERSIBLE = re.compile(
    r"\b(?:delete|drop|wipe|purge|erase|truncate|destroy|overwrite)\b|\bforce[- ]push\b|\brm -rf\b|\breset --hard\b"
    r"|\brewrite (?:the )?(?:git )?history\b"
    r"|\b(?:publish|release|deploy|roll out|go live|ship)\b.{0,40}"
    r"\b(?:prod|production|public|everyone|customers|users)\b"
    r"|\bsend (?:it |this |the )?(?:\w+ )?(?:to|out to) (?:all|every|customers|users|the team)\b"
    r"|\brotate\b.{0,20}\bkeys?\b"
    r"|删(?:除|掉|了|库)|清空|清除|销毁|覆盖|强推|强制推送|回滚生产|上线|发布到?(?:生产|线上|正式)"
    r"|推到?(?:生产|线上)|群发|不可逆|注销",
    _I,
)

COSTLY = re.compile(
    r"\brewrite\b|\bfrom scratch\b|\bre-?architect\b|\bredesign\b|\bport\b.{0,30}\bto\b|\bmigrat(?:e|ion)\b"
    r"|\brefactor (?:the )?(?:whole|entire|everything|all)\b"
    r"|\b(?:whole|entire) (?:code ?base|system|project|repo(?:sitory)?|app(?:lication)?|product)\b"
    r"|\b(?:all|every) (?:the )?(?:services?|modules?|packages?|files?|repos?|repositories|pages?)\b"
    r"|重写|重构(?:整个|全部|所有)|推倒重来|从头(?:开始|做|来)|整个(?:系统|项目|代码库|仓库|产品)"
    r"|全(?:部|量)(?:迁移|替换|改)|迁移|所有(?:服务|模块|文件|仓库|页面)",
    _I,
)

LAYERS = {
    "interface": re.compile(
        r"\bfront[- ]?end\b|\bUI\b|\bpages?\b|\bcomponents?\b|\bbuttons?\b|\bCSS\b|前端|界面|页面|按钮"
        r"|组件",
        _I,
    ),
    "service": re.compile(
        r"\bback[- ]?end\b|\bAPIs?\b|\bendpoints?\b|\bservers?\b|\bservices?\b|后端|接口|服务端|服务",
        _I,
    ),
    "storage": re.compile(
        r"\bdatabases?\b|\bDB\b|\bschemas?\b|\btables?\b|\bmigrations?\b|数据库|表结构|数据表|库表",
        _I,
    ),
    "operation": re.compile(
        r"\bdeploy(?:ment|s|ed)?\b|\bCI\b|\binfra(?:structure)?\b|\bkubernetes\b|\bterraform\b"
        r"|\bpipelines?\b|部署|运维|流水线|基础设施",
        _I,
    ),
}  # fmt: skip
"""Two of these in one request reach across layers."""

VAGUE = re.compile(
    r"\b(?:improve|optimi[sz]e|enhance|polish|clean ?up|tidy|tweak|refine|modernize|speed up)\b"
    r"|\bmake (?:it|this|things?|that) (?:\w+ )?(?:better|nicer|faster|good|work|cool)\b"
    r"|\b(?:fix|handle|sort out|deal with|look (?:at|into)) (?:it|this|that|things|stuff|everything)\b"
    r"|\bsome(?:thing|how)\b|\betc\b|\band so on\b|\bstuff\b"
    r"|优化|改进|改善|完善|提升|美化|整理|弄(?:好|一下|下)|搞(?:定|一下|下|好)|处理(?:一下|下)"
    r"|调(?:整)?(?:一下|下)|看(?:一下|下|看)|改(?:一下|下|改)|随便|差不多",
    _I,
)

AMBIGUOUS = re.compile(
    r"\beither\b.{1,60}\bor\b|\bor (?:maybe|perhaps)\b|\bmaybe\b|\bperhaps\b|\bsome(?:thing|what) like\b"
    r"|\bkind of\b|\bsort of\b|\bnot sure\b|\bwhichever\b|\bor something\b"
    r"|还是.{1,30}[?？]?|或者|也许|可能(?:要|是|得)|大概|之类|类似|不(?:太)?确定|不知道(?:要|该|是)|要不",
    _I,
)

ANCHOR = re.compile(
    r"`[^`\n]{1,200}`|\"[^\"\n]{2,200}\"|“[^”\n]{1,200}”|「[^」\n]{1,200}」"
    r"|(?:^|[\s(（])[\w./-]{1,100}\.(?:py|tsx?|js|md|json|toml|ya?ml|sh|sql|go|rs|rb|java|kt|css|html)\b"
    r"|\b\d+(?:\.\d+)?\s?(?:%|ms|s|kb|mb|gb|px|lines?|tests?|tokens?|行|秒|毫秒|个|条|次)|#\d+"
    r"|\b[A-Z]{2,10}-\d+\b|\b\w{1,80}_\w{1,80}|\b\w{1,80}\(\)",
    _I,
)
"""What a request can be held to: a quotation, a file, a measured number, a task, a name in code."""
