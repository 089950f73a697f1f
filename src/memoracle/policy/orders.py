"""Orders to an agent, one row each: what they are called, words without which they are not looked for, and a pattern.

Texts are seen in lower case and without hidden characters. A `mild` order is one that a fellow agent may well note
as its own manner of working; from a tool or a page it is an order all the same.

Nothing in a pattern is unbounded, so a match and all that decides it lie within `REACH` of a literal. A gap between
two words never crosses another word it could have begun with: whoever repeats that word makes no gap longer.
"""

from __future__ import annotations

from memoracle.model.value import value

REACH = 600
"""How many characters a pattern looks at, at most, to either side of a literal."""


@value
class Order:
    """One sort of order."""

    name: str
    literals: tuple[str, ...]
    pattern: str
    mild: bool = False


_START = r"(?:\A|[\n.!?;:。！？；：>\])，、])[\s>*#\d.)\"'“‘「『`(\[-]{0,12}+(?:(?:please|kindly|now|also|first|then|important|note|remember|remember this)[,:!]? ){0,3}+"
_QUALIFIED = (
    r"(?:(?:all|any|every|of|the|your|my|these|those|this|and|other|whatever|each) ){0,5}"
    r"(?:previous(?:ly)?|prior|earlier|above|preceding|foregoing|existing|current|original|initial|system|other|past|safety|content) "
    r"(?:and [a-z]{1,12} )?(?:[a-z]{1,14} ){0,1}"
)
_TOLD = (
    r"(?:instructions?|prompts?|rules?|directives?|guidelines?|commands?|orders?|context|messages?|programming|training"
    r"|information|constraints?|restrictions?|polic(?:y|ies)|safeguards?|guardrails?|conversations?|text)"
)
_GIVE_AWAY = (
    r"(?:passwords?|(?:api |private |ssh |secret |access )?keys?|tokens?|credentials?|secrets?|(?:the |this |our |your )?conversations?"
    r"|chat (?:history|logs?)|memor(?:y|ies)|system prompt|(?:personal|private|confidential) (?:data|information|files|details)"
    r"|cookies?|\.env|contacts|inbox|credit card)"
)
_ELSEWHERE = r"(?:to|at|via|into) (?:(?!(?:to|at|via|into) )[^\s]{1,20} ){0,3}?(?:https?://|[\w.-]{1,60}@[\w-]|[\w-]{2,40}\.[a-z]{2,20}|attacker|(?:the following|this) (?:address|url|server|webhook|endpoint|e-?mail|number))"
_ZH_GIVE_AWAY = (
    r"(?:密码|密钥|密鑰|令牌|口令|凭证|凭据|私钥|聊天记录|对话|记忆|系统提示|隐私|个人信息|通讯录|密碼)"
)
_ZH_WHO = r"(?:用户|主人|使用者|有人|对方|任何人|用戶)"

ORDERS = (
    Order(
        name="override",
        literals=(
            "ignore",
            "disregard",
            "forget",
            "override",
            "bypass",
            "follow",
            "attention to",
            "listen to",
            "obey",
        ),
        pattern=r"(?<![a-z])(?:ignore|disregard|forget|override|bypass|(?:do not|don't|stop) (?:follow|listen to|obey)(?:ing)?|pay no attention to) "
        rf"(?:{_QUALIFIED}{_TOLD}|(?:all |any )?your (?:[a-z]{{1,14}} )?(?:instructions|programming|guidelines|training|rules|restrictions)"
        r"|(?:everything|anything|all|what|whatever) (?:you (?:were|have been|know)|(?:that )?(?:was|is|came|i|we) (?:said|told|above|before|written))"
        r"|(?:everything|all|the) (?:above|before this|prior)(?=\W|\Z)|all (?:the )?(?:instructions|prompts|rules|directives))",
    ),
    Order(
        name="override",
        literals=("忽略", "无视", "無視", "忘记", "忘掉", "忘記", "不要理会", "不用理会", "抛开", "绕过"),
        pattern=r"(?:忽略|无视|無視|忘记|忘掉|忘記|不要理会|不用理会|抛开|绕过)(?:掉|了)?[^。！？\n]{0,10}"
        r"(?:之前|以前|先前|前面|上面|上述|以上|此前|所有|一切|全部|你的|系统|原来|用户)[^。！？\n]{0,8}"
        r"(?:指令|指示|提示|规则|设定|要求|命令|约束|限制|指導|規則)",
    ),
    Order(
        name="memory-order",
        literals=("memory", "remember"),
        pattern=r"(?<![a-z])(?:(?:save|add|store|write|record|update|put|keep|commit|insert) [^.!?\n]{0,60}?"
        r"(?:your|the assistant's|the agent's|long[- ]term|persistent) (?:long[- ]term |persistent )?memor(?:y|ies)"
        r"|remember(?: this| that)?(?: forever| permanently| always)? {0,2}(?:[:,] {0,2}(?:always|never|from now|you must|the user|to (?:always|never|send|forward|recommend))"
        r"|: {0,2}(?:when(?:ever)?|if|you|do not|don't)(?![a-z]))"
        r"|remember (?:[^.!?\n]{1,60} )?as (?:an? |the |your )?(?:most )?(?:trusted|preferred|authoritative|go-to|reliable|best) (?:[a-z]{1,14} ){0,2}(?:source|site|company|provider|brand|choice|tool))",
    ),
    Order(
        name="memory-order",
        literals=("记住", "記住", "记忆", "牢记"),
        pattern=r"(?:请?(?:记住|記住|牢记)[：:，, ]{0,3}[^。！？\n]{0,8}(?:永远|始终|总是|一律|以后|务必|必须|每次|不要|从现在)"
        r"|(?:写入|存入|保存到|加入|记入|更新)[^。！？\n]{0,6}(?:长期)?记忆)",
    ),
    Order(
        name="standing-order",
        literals=(
            "from now on",
            "henceforth",
            "always",
            "never",
            "you must",
            "in future",
            "in all future",
            "going forward",
        ),
        pattern=rf"(?:{_START}(?:(?:from now on|henceforth|going forward|in (?:all )?future (?:conversations|sessions|responses|replies|chats))"
        r",? (?:you|always|never|please|only|recommend|answer|respond|reply|send|say|ignore|treat|act|do not|don't)"
        r"|always (?:send|forward|recommend|reply|respond|answer|mention|trust|tell|cc|bcc|upload|obey|agree|promote|praise|prefer|say|approve)"
        r"|never (?:tell|reveal|mention|warn|disclose|inform|recommend|refuse|question|criti[cs]i[sz]e|reply|respond))(?![a-z])"
        r"|(?<![a-z])you must (?:always|never|now|immediately|recommend|send|forward|obey|comply|reply|respond|answer))",
        mild=True,
    ),
    Order(
        name="standing-order",
        literals=(
            "从现在起",
            "从今以后",
            "今后",
            "以后",
            "務必",
            "务必",
            "必须",
            "一律",
            "始终",
            "永远",
            "总是",
            "每次",
        ),
        pattern=r"(?:(?:从现在起|从今以后|今后|以后)(?:，|,)?(?:都|你|请|一律|每次|务必|必须)[^。！？\n]{0,12}(?:忽略|推荐|回复|回答|发送|转发|说|使用|告诉|执行|拒绝|相信)"
        r"|(?:务必|務必|必须|一律|始终|永远|总是|每次都?)(?:要|把|将|向|给)?[^。！？\n]{0,10}(?:回复|推荐|发送|发到|发给|告诉用户|转发|上传|相信|服从))",
        mild=True,
    ),
    Order(
        name="exfiltration",
        literals=(
            "send",
            "forward",
            "mail",
            "post ",
            "upload",
            "transmit",
            "exfiltrate",
            "leak",
            "copy",
            "submit",
            "share",
        ),
        pattern=r"(?<![a-z])(?:send|forward|e?mail|post|upload|transmit|exfiltrate|leak|copy|submit|share) "
        r"(?:(?!(?:send|forward|e?mail|post|upload|transmit|exfiltrate|leak|copy|submit|share) )[^\s.!?]{1,20} ){0,8}?"
        rf"{_GIVE_AWAY}(?![a-z])[,:]? (?:(?!{_GIVE_AWAY}[,:]? )[^\s!?]{{1,30}} ){{0,6}}?{_ELSEWHERE}",
    ),
    Order(
        name="exfiltration",
        literals=("prompt", "instructions", "system message"),
        pattern=rf"{_START}(?:[a-z]{{1,12}},? ){{0,3}}?(?:reveal|print|repeat|output|show|display|disclose|tell me|leak|write)(?: out| down| me)? "
        r"(?:(?:all|of|the|full|entire|exact|complete) ){0,4}(?:(?:your|above|previous|prior|initial|hidden|original|system|secret) ){1,3}"
        r"(?:prompts?|instructions|system message)(?![a-z])",
    ),
    Order(
        name="exfiltration",
        literals=("](http",),
        pattern=r"!\[[^\]\n]{0,100}\]\(https?://[^)\s]{0,200}?(?:\{|%7b|<|\[)[^)\n]{0,100}",
    ),
    Order(
        name="exfiltration",
        literals=("发", "传", "泄露", "提交", "轉", "转"),
        pattern=rf"(?:(?:把|将)[^。！？\n把将]{{0,40}}?{_ZH_GIVE_AWAY}(?:(?!{_ZH_GIVE_AWAY})[^。！？\n]){{0,20}}?(?:发|传|寄|转发|上传|提交|告诉|泄露|同步|發)送?(?:到|给|至|往|去|給)"
        rf"|(?:发送|上传|泄露|转发|提交)(?:(?!发送|上传|泄露|转发|提交)[^。！？\n]){{0,30}}?{_ZH_GIVE_AWAY}(?:(?!{_ZH_GIVE_AWAY})[^。！？\n]){{0,20}}?(?:到|给|至))",
    ),
    Order(
        name="persona",
        literals=(
            "you are",
            "act as",
            "behave as",
            "respond as",
            "pretend",
            "do anything now",
            "jailbreak",
            "you're now",
            " dan ",
        ),
        pattern=r"(?<![a-z])(?:you(?: are|'re) (?:now|no longer) (?:[a-z]{1,14} ){0,6}?(?:dan|assistant|ai|model|chatbot|agent|unrestricted|unfiltered|jailbroken|bound|developer mode|evil|free from)(?![a-z])"
        r"|(?:act|behave|respond|pretend|answer) (?:as|to be) (?:if you (?:were|are) )?(?:an? )?(?:[a-z]{1,14} )?(?:dan|unrestricted|unfiltered|uncensored|jailbroken|amoral)(?![a-z]) (?:ai|assistant|model|chatbot|version)"
        r"|you can do anything now|(?:(?<![a-z])agent|called|named|as|mode) dan(?= (?:can|is|has|will|from|mode|and))|(?<![a-z])dan (?:mode|can (?:do|override))|(?:enable|enter|activate) (?:jailbreak|dan|god|unrestricted) mode)",
    ),
    Order(
        name="persona",
        literals=("你现在", "你不再", "你是", "扮演", "假装"),
        pattern=r"(?:你(?:现在|从现在起|不再)?(?:是|受)[^。！？\n]{0,16}(?:没有限制|不受限制|不受约束|没有任何限制|越狱|dan(?![a-z])|开发者模式|约束)"
        r"|(?:扮演|假装)[^。！？\n]{0,16}(?:不受限|没有限制|无限制|越狱|dan(?![a-z])))",
    ),
    Order(
        name="delayed",
        literals=("the user", "the owner", "the human", "your user", "your owner", "someone", "anyone"),
        pattern=r"(?<![a-z])(?:when(?:ever)?|if|once|next time|as soon as|every time|each time|after) (?:the |your )?(?:user|owner|human|operator|someone|anyone) "
        r"(?:next |later |ever |again )?(?:says?|asks?|mentions?|types?|requests?|sends?|writes?|replies|thanks|agrees|confirms|starts|returns)(?![a-z])"
        r"[^.!?\n,]{0,120}, {0,2}(?:then |you (?:must|should|will|shall|need to|have to)|please |always |never "
        r"|(?:secretly |silently |immediately |quietly |also )?(?:send|forward|run|execute|call|invoke|recommend|reply|respond|answer|say|tell|insert|include|delete|transfer|save|store|update|ignore|open|visit|use)(?![a-z]))",
    ),
    Order(
        name="delayed",
        literals=("用户", "主人", "使用者", "有人", "对方", "用戶"),
        pattern=rf"(?:当|每当|如果|若|一旦|下次|等|只要){_ZH_WHO}[^。！？\n]{{0,40}}?(?:时|时候|后|，|,|就|時)[^。！？\n]{{0,6}}?(?:请|务必|必须|就|要|应|你|立即|自动|偷偷|悄悄)"
        r"[^。！？\n]{0,8}?(?:发送|转发|执行|运行|调用|推荐|回复|回答|说|告诉|插入|删除|转账|保存|写入|忽略|打开|上传)",
    ),
    Order(
        name="concealment",
        literals=("the user", "the owner", "the human", "your user", "your owner", "the operator"),
        pattern=r"(?<![a-z])(?:do not|don't|never|without) (?:ever )?(?:tell(?:ing)?|mention(?:ing)?|inform(?:ing)?|notify(?:ing)?|alert(?:ing)?|warn(?:ing)?|reveal(?:ing)?|let(?:ting)?)"
        r"(?: (?:this|it|that|anything|any of this))?(?: to)? (?:the |your )(?:user|owner|human|operator)(?![a-z])",
    ),
    Order(
        name="concealment",
        literals=("告诉", "提醒", "告知", "通知", "透露"),
        pattern=rf"(?:不要|不得|禁止|切勿|千万别|别|不许|不能)(?:向|对|把这|让)?(?:{_ZH_WHO})?(?:告诉|提醒|告知|通知|透露)(?:给)?{_ZH_WHO}",
    ),
    Order(
        name="steering",
        literals=("your response", "your answer", "your repl", "your output", "your next", "your final"),
        pattern=rf"{_START}(?:(?:in your (?:response|answer|reply), )|(?:[a-z]{{1,14}} ){{0,2}}?)(?:add|include|insert|integrate|embed|append|incorporate|mention|promote|weave|feature|blend|introduce|attach|slip|encode|encrypt|reverse|translate|obfuscate)"
        r"(?:ing)? (?:[^.!?\n]{0,120}? )??(?:(?:in|into|to|within|at the end of|throughout|of) )?(?:all |every |each )?(?:of )?your (?:next |final |every |entire |own )?(?:response|answer|repl(?:y|ies)|output)s?(?![a-z])",
        mild=True,
    ),
    Order(
        name="code-planting",
        literals=("code",),
        pattern=r"(?<![a-z])(?:(?:following|below|subsequent) (?:[a-z]{1,12} ){0,2}?code (?:snippet|block|excerpt|section|segment|fragment)[^.!?\n]{0,60}? (?:in|into|within|of|enhance|augment|improve|fine-tune|behind) your"
        r"|your [^.!?\n]{0,50}?(?:by|with|through) (?:[a-z]{1,14} ){0,3}?the (?:following|below|subsequent) code)",
    ),
)
