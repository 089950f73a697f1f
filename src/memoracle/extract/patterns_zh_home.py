"""Chinese: where somebody lives, and what they have and use."""

from __future__ import annotations

from memoracle.extract.pattern import Pattern
from memoracle.extract.pieces_zh import ADV, END, KIN, ME, NOW_AT_HAND, OF_ME, OTHER, SOFT, maybe, me, who
from memoracle.model.claim import Stance

_CITY = (
    r"(?:北京|上海|广州|深圳|杭州|成都|重庆|武汉|西安|南京|苏州|天津|长沙|郑州|青岛|厦门|宁波|无锡|合肥|佛山|东莞|福州|济南|大连|沈阳|哈尔滨|长春|昆明|贵阳|南宁|南昌|太原|石家庄|兰州|乌鲁木齐|呼和浩特|银川|西宁|海口|三亚|拉萨|珠海"
    r"|中山|惠州|温州|嘉兴|绍兴|常州|南通|徐州|扬州|烟台|洛阳|泉州|桂林|大理|丽江|香港|澳门|台北|高雄|台中|新加坡|东京|大阪|京都|首尔|曼谷|吉隆坡|伦敦|巴黎|柏林|慕尼黑|阿姆斯特丹|苏黎世|纽约|旧金山|湾区|硅谷|西雅图|洛杉矶|波士顿|芝加哥|多伦多"
    r"|温哥华|蒙特利尔|悉尼|墨尔本|迪拜|美国|英国|日本|德国|法国|加拿大|澳洲|澳大利亚|韩国|荷兰|瑞士|新西兰|马来西亚|泰国|意大利|西班牙|[一-龥]{2,3}[市县镇州])"
)
_THINGS = r"(?:电脑|手机|车|相机|键盘|显示器|耳机|平板|手表|笔记本|显卡|系统|操作系统|编辑器|IDE|主力机|路由器|NAS|服务器|自行车|吉他|钢琴|鼠标|镜头|咖啡机|浏览器|shell|终端|开发机|游戏机|跑鞋|鞋|运动鞋|摩托|摩托车|电动车|投影仪|输入法|笔记软件|香水|护肤品|洗面奶|邮箱客户端)"
_BOUGHT_NOT = r"(?![^，。]{0,4}(?:蛋糕|面包|包子|汉堡|冰淇淋|西瓜|水果|早餐|午饭|晚饭|饭|菜|票|东西|衣服|奶茶|咖啡$|零食|关子|问题|教训|单|醉))"

# fmt: off
PATTERNS: tuple[Pattern, ...] = (
    # place
    Pattern(
        name="place.no_longer", predicate="lives_in", stance=Stance.DENY,
        regex=rf"{maybe('')}(?:不再|不)(?:在(?=[^，。！？]{{2,14}}住了)|住(?:在)?)(?P<object>(?!了|下|得|起|校|宿舍)[^，。！？]{{2,14}}?)(?:住)?了{SOFT}{END}",
        examples=(("我不住北京了", "北京"), ("我已经不住在浦东了", "浦东")),
        counterexamples=("我不住了", "忍不住笑了"),
    ),
    Pattern(
        name="place.once", predicate="lives_in", stance=Stance.DENY,
        regex=rf"{me('')}(?:以前|之前|曾经?|原来|小时候|那时候)(?:都|一直)?住(?:在|过)?(?P<object>(?!了|过)[^，。！？]{{2,14}}){END}",
        examples=(("我以前住在南京", "南京"),),
        counterexamples=("我住在南京",),
    ),
    Pattern(
        name="place.moved", predicate="lives_in", stance=Stance.CORRECT, importance=0.8,
        regex=rf"{maybe('')}(?:从[^，。！？]{{1,10}})?(?:全家|一家)?(?:搬家?(?:到|去|来|回|进)了?|迁居到?了?|移居(?:到|去)?了?|移民(?:到|去)?了?|嫁(?:到|去)了?|定居到了?|回(?:到)?(?=老家住))(?P<object>(?!一起|这|那|哪|跟|和|新的?服务器|另一|[A-Za-z_./]{{1,20}}(?:里|目录|下)|[^，。]{{0,6}}(?:文件|目录|函数|分支|仓库|模块|行))[^，。！？]{{2,16}}?)(?:住|生活|定居)?了?{SOFT}{END}",
        examples=(("我们上周搬到杭州了", "杭州"), ("我搬家到深圳了", "深圳"), ("我從台北搬到高雄了", "高雄")),
        counterexamples=("我想搬到杭州", "数据搬到新库"),
    ),
    Pattern(
        name="place.lives", predicate="lives_in",
        regex=rf"{maybe('')}(?:都)?(?:住在|居住在|定居在|定居于?|常住(?:在)?|常驻(?:在)?|长居|租住在?|租房在|家住|住(?!在|了|过|不|哪|院|校|宿舍|着|下|进|一晚|几|的|得|嘴|手|址|户|房|店|我))(?P<object>(?!哪|这|那|一起|调度器|火山|楼下|楼上|隔壁|对门|酒店)[^，。！？]{{2,20}}?)(?:住|这边|那边|附近)?{SOFT}{END}",
        examples=(("我住在成都高新区", "成都高新区"), ("我爸妈住在赣州老家", "爸妈 | 赣州老家"), ("我住北京朝阳", "北京朝阳")),
        counterexamples=("我住了，这也行", "我住哪儿", "我住院了", "记住了"),
    ),
    Pattern(
        name="place.settled", predicate="lives_in",
        regex=rf"{maybe('')}在(?P<object>(?!家|这|那|哪|一起|外面|国外$)[^，。！？]{{2,12}}?)(?:定居|安家|居住|生活|租房(?:住)?|落户|买了房|买房了?|住)(?:了|着)?(?:[^，。！？]{{0,6}}年(?:了)?)?{SOFT}{END}",
        examples=(("我在苏州定居", "苏州"), ("我在柏林住了十年", "柏林")),
        counterexamples=("我在家住", "我在享受生活吗"),
    ),
    Pattern(
        name="place.home", predicate="lives_in",
        regex=rf"(?:{OF_ME}(?P<subject>{KIN})(?:他们|她们)?家|{ME}(?:的)?新?家|新?家)(?:就|是)?在(?!哪|做|装|看|吃|这)(?P<object>[^，。！？]{{2,16}}?)(?:的|这边|那边)?{SOFT}{END}",
        examples=(("我家在望京", "望京"), ("我舅舅他们家是在江苏苏州的。", "舅舅 | 江苏苏州")),
        counterexamples=("我在家", "家在哪"),
    ),
    Pattern(
        name="place.am_in", predicate="lives_in",
        regex=rf"{ME}(?:人|现在人|目前人|人现在)(?:就|还|都)?在(?!这|那|外面|家|路上|公司|线|呢|哪|学校|医院|车上)(?P<object>[^，。！？]{{2,12}}?){SOFT}{END}",
        examples=(("我人在多伦多，跟你差十二个小时", "多伦多"),),
        counterexamples=("我人在公司", "我在看"),
    ),
    Pattern(
        name="place.in_city", predicate="lives_in",
        regex=rf"{ME}(?:现在|目前|常年|平时|一直|们|都){{0,2}}(?:base)?在(?P<object>(?:{_CITY}|(?-i:[A-Z][a-z]{{3,12}}))(?:市|[一-龥]{{1,3}}区)?){SOFT}{END}",
        examples=(("我现在在上海", "上海"), ("我在新加坡", "新加坡")),
        counterexamples=("我在北京出差", "我在看", "我在设置页面"),
    ),
    Pattern(
        name="place.base", predicate="lives_in",
        regex=rf"(?:{ME}|目前|现在)?(?:的)?base(?!64|d|line|ment|ball)(?:地)?(?:在|是| in)?\s?(?P<object>[^，。！？]{{2,14}}?){SOFT}{END}",
        examples=(("我base在Singapore，team在上海", "Singapore"), ("我 base 上海", "上海")),
        counterexamples=("base64解码",),
    ),
    Pattern(
        name="place.address_changed", predicate="address", stance=Stance.CORRECT,
        regex=rf"(?:{ME}|{OTHER})?的?(?:家庭|收货|寄件|快递|邮寄|公司|新|联系|家里)?(?:的)?(?:地址|住址)(?:改成|改为|换成|改到|变成|更新为)了?[：:]?\s?(?P<object>[^，。！？]{{4,40}})",
        examples=(("收货地址改成杭州市西湖区文三路9号", "杭州市西湖区文三路9号"),),
        counterexamples=("地址改成功了吗",),
    ),
    Pattern(
        name="place.address", predicate="address",
        regex=rf"(?:{ME}|{OTHER})?的?(?:家庭|收货|寄件|快递|邮寄|公司|新|联系|家里|家)?(?:的)?(?:地址|住址)(?:就)?(?:是|在|为|填|写|[：:])\s?(?P<object>(?!什么|不|空|0x|http|哪|错)[^，。！？]{{4,40}})",
        examples=(("收货地址是南京市鼓楼区汉口路22号3栋501", "南京市鼓楼区汉口路22号3栋501"), ("我家地址是朝阳区建国路88号", "朝阳区建国路88号")),
        counterexamples=("地址是什么", "地址是http://x"),
    ),
    Pattern(
        name="place.office", predicate="located_in",
        regex=rf"(?:{ME}|{OTHER})?的?(?P<about>(?:公司|单位|办公室|学校|店面|店|工厂|厂|总部|团队|team|宿舍|诊所|工作室|分公司|仓库|租的房子?){{1,2}})(?:现在|目前|就|都)?(?:在|位于|坐落于|搬到了?|开在|设在)(?!招|开|做|裁|搞|用|推|准备|考虑|讨论|忙|测|跑|改|写|找|哪|这|那|扩|赶|加|使|进行|逐|线)(?P<object>[^，。！？]{{2,20}}?)(?:这边|那边)?{SOFT}{END}",
        examples=(("公司在望京SOHO T2", "公司: 望京SOHO T2"), ("我们办公室在五道口", "办公室: 五道口")),
        counterexamples=("公司在招人", "团队在开发新版"),
    ),
    Pattern(
        name="place.of_event", predicate="located_in",
        regex=r"(?P<about>[^，。！？我你他]{2,20}?)的?(?:地点|举办地|位置)(?:就)?(?:是|在|定在|改到)(?P<object>(?!哪|什么|这|那)[^，。！？]{2,20})",
        examples=(("青岛项目高峰论坛的地点是山东青岛。", "青岛项目高峰论坛: 山东青岛"),),
        counterexamples=("地点是哪里",),
    ),
    # possession
    Pattern(
        name="possession.sold", predicate="owns", stance=Stance.DENY,
        regex=rf"(?:{me('')}把)?(?:{OF_ME}|那|之前那){{0,2}}[辆台部只个套块把]?(?P<object>(?!我|把|它|这|都)[^，。！？我把]{{1,14}}?)(?:我)?(?:已经|刚|早就|都|上[^，。]{{1,2}}){{0,2}}(?:卖(?:掉)?了|送人了|转手了|出掉了|退掉了)",
        examples=(("那辆摩托我已经卖了", "摩托"), ("我把相机卖了", "相机"), ("我的旧手机送人了", "旧手机")),
        counterexamples=("卖了多少钱", "都卖了"),
    ),
    Pattern(
        name="possession.no_longer_uses", predicate="uses", stance=Stance.DENY,
        regex=rf"{me('')}(?:不再|不|弃)用(?P<object>(?!了|管|担心|说|谢|去|再|你|这|那|他)[^，。！？]{{1,16}}?)了{SOFT}{END}",
        examples=(("我不用poetry了", "poetry"), ("我已经不再用印象笔记了", "印象笔记")),
        counterexamples=("我不用了", "不用谢"),
    ),
    Pattern(
        name="possession.switched", predicate="uses", stance=Stance.CORRECT, importance=0.8,
        regex=rf"{me('')}(?:把[^，。！？]{{1,10}}|从[^，。！？]{{1,12}})?(?:换成了?|换到了?|换用了?|改用了?|改用|切换?到了|迁移到了|迁到了|转用了?|转投了?|转到了?)(?P<object>(?!第|这|那)[^，。！？]{{1,20}}?)了?{SOFT}{END}",
        examples=(("我换成了Neovim", "Neovim"), ("我们改用pnpm了", "pnpm"), ("我把手机换成了小米", "小米")),
        counterexamples=("把它换成第二个", "其实改成三列更好看"),
    ),
    Pattern(
        name="possession.my", predicate="owns",
        regex=rf"(?:{ME}|{OTHER})(?:的|用的|现在的|现在用的|现用的|平时用的|新|主力){{0,2}}(?P<about>{_THINGS})(?:型号|品牌)?(?:现在|主要|就|还|一直){{0,2}}(?:是|用的?是?|为|装的是?)(?P<object>(?!什么|坏|不|这|那|你|自己|好|很|哪|一个问题|关)[^，。！？]{{1,24}})",
        examples=(("我电脑是ThinkPad X1，装的Arch", "电脑: ThinkPad X1"), ("我用的手机是OPPOReno7。", "手机: OPPOReno7"), ("我的车是特斯拉Model 3", "车: 特斯拉Model 3")),
        counterexamples=("我电脑是坏的", "我手机是不是该换了"),
    ),
    Pattern(
        name="possession.drives", predicate="owns",
        regex=rf"{who('')}(?:开|骑|戴|穿|弹|背|拍照用)(?:的(?:车)?(?:是|叫)?|着)(?:一)?(?:辆|台|部|双|把|块|款)?(?P<object>(?!会|车|门|窗|什么)[^，。！？]{{2,20}})",
        examples=(("我开的是一辆比亚迪海豹", "比亚迪海豹"), ("我骑的是捷安特", "捷安特")),
        counterexamples=("我开着会", "我开的什么车"),
    ),
    Pattern(
        name="possession.drives_a", predicate="owns",
        regex=rf"{who('')}(?:开|骑)(?:一)?(?:辆|台)(?P<object>[^，。！？]{{2,16}})",
        examples=(("我开一辆特斯拉", "特斯拉"),),
        counterexamples=("我开一个会",),
    ),
    Pattern(
        name="possession.drives_brand", predicate="owns",
        regex=rf"{who('')}开(?:着|的)?(?P<object>(?:特斯拉|比亚迪|宝马|奔驰|奥迪|大众|丰田|本田|日产|蔚来|理想|小鹏|问界|小米|吉利|五菱|保时捷|沃尔沃|福特|雷克萨斯|凯迪拉克|别克|哈弗|极氪|Model ?[3YSX])[^，。！？]{{0,12}})",
        examples=(("我开特斯拉", "特斯拉"),),
        counterexamples=("我开电脑",),
    ),
    Pattern(
        name="possession.uses_is", predicate="uses",
        regex=rf"{maybe('')}(?:用的?(?:就)?是|使的是|装的是|跑的是|主力(?:机|语言|编辑器|工具|浏览器|IDE|开发语言)?(?:还|一直|就)?是|常用的?(?:是|[^，。！？]{{1,6}}是))(?P<object>(?!什么|这|那|你|哪|同一|最新|默认)[^，。！？]{{1,24}})",
        examples=(("我用的是魅可矿质柔润遮瑕膏。", "魅可矿质柔润遮瑕膏"), ("主力还是Neovim", "Neovim")),
        counterexamples=("用的是什么", "用的是这个版本"),
    ),
    Pattern(
        name="possession.has", predicate="owns",
        regex=rf"(?:{ME}(?:家里?|手上|手头|这|这里)?|家里|家中|手上|手头){ADV}有(?:了)?(?P<object>[一二两三四几\d]{{0,2}}(?:台|辆|架|艘|栋|部(?!分|署)|套(?!方案|代码|脚本|系统|流程|规范|说法|路)|块(?!代码|内容|地方|钱)|把(?!握)|双(?!胞)|间|张(?:显卡|桌|床|琴)|副)[^，。！？]{{1,20}})",
        examples=(("我有一台富士XT5，平时扫街用", "一台富士XT5"), ("家里有台3D打印机，拓竹的", "台3D打印机"), ("我有两辆自行车", "两辆自行车")),
        counterexamples=("我有一部分不懂", "我有一套方案", "我有个问题想问", "我有两个文件打开着"),
    ),
    Pattern(
        name="possession.has_thing", predicate="owns",
        regex=rf"(?:{ME}(?:家里?)?|家里){ADV}有(?:一?个|一)?(?P<object>(?:[^，。！？的堵]{{0,6}})(?:车|房|房子|房产|树莓派|NAS|域名|驾照|护照|绿卡|会员|MacBook|iPad|iPhone|Kindle|PS5|Switch|switch|公积金|存款|车位|钢琴|吉他|健身卡)){SOFT}{END}",
        examples=(("我有驾照", "驾照"), ("我有个NAS", "NAS")),
        counterexamples=("我没有车", "我有堵车"),
    ),
    Pattern(
        name="possession.bought", predicate="owns",
        regex=rf"(?:{ME}家?{ADV}|刚刚?|最近|昨天|上周|上个?月|去年|前几天|终于)(?:刚|又|终于|给自己|在[^，。]{{1,6}})?(?:买了|入手了?|入了|新买了|配了|组了|收了|装了|添了|换了(?=台|辆|部|一台|一辆|新)|下单了|订购了)(?:一|两|三|几)?(?P<object>(?:台|辆|部(?!分)|架|套(?!衣)|栋|块|把|双|副|个|款){_BOUGHT_NOT}[^，。！？]{{1,18}}|(?-i:[A-Z])[\w 一-龥-]{{1,16}}){END}",
        examples=(("刚买了个树莓派5，放家里当NAS", "个树莓派5"), ("我上周买了一台咖啡机", "台咖啡机"), ("我刚买了MacBook Pro", "MacBook Pro")),
        counterexamples=("刚买了个蛋糕", "我买了菜", "我买了张票"),
    ),
    Pattern(
        name="possession.uses", predicate="uses",
        regex=rf"(?:{ME}(?:一直|平时|平常|现在|目前|都|主要|最近|日常|通常|一般|还|在|也|常|常年|自己|从来都|固定|经常|每天|们|开发|写代码|记笔记|听歌|办公|工作){{1,4}}|{ME}(?:一般|平时)?(?:写代码|记笔记|听歌|办公|剪视频|画图|聊天|看书|做饭|跑步)(?:都|主要|一直|就)?|{OTHER}(?:一直|平时|现在|都|也){{1,3}}|(?:平时|一直|日常|最近)(?:都|在|主要)?)(?:是)?用(?:着|惯了)?(?P<object>(?!了|完|错|不|过|到|来|这|那|你|上|下|它|于|户|什么|哪|同|得|一样|[^，。]{{0,8}}(?:报错|失败|打不开|跑不|语交流|文交流)){NOW_AT_HAND}[^，。！？]{{1,20}})",
        examples=(("我一直用飞书写文档", "飞书写文档"), ("我最近在用Cursor，但主力还是Neovim", "Cursor"), ("我平时用vim", "vim"), ("我写代码用Zed", "Zed")),
        counterexamples=("我用了你上一段代码", "我在用这个脚本"),
    ),
    Pattern(
        name="possession.uses_for", predicate="uses",
        regex=rf"{ME}用(?P<object>[A-Za-z][A-Za-z0-9 .+#-]{{1,20}}(?:做|写|记|管理|听|看|剪|画|办公|协作|聊)[^，。！？了过]{{1,8}}){END}(?<!报错)(?<!失败)",
        examples=(("我用Obsidian做知识管理", "Obsidian做知识管理"),),
        counterexamples=("我用Python写了个脚本", "我用vim打开报错"),
    ),
    Pattern(
        name="possession.new", predicate="owns",
        regex=rf"{me('')}(?:换|买|入手)了?(?:个|台|部|辆|一台|一部|一辆)?新?(?P<about>手机|电脑|车|相机|平板|手表|耳机|键盘|笔记本)(?:了)?[，,：:](?:是)?(?P<object>(?!但|可|还|不|很|结果|好|这|那|真)[^，。！？]{{2,20}})",
        examples=(("我刚换了新手机，华为Mate70", "手机: 华为Mate70"),),
        counterexamples=("我换了手机，但是数据没了",),
    ),
    Pattern(
        name="possession.home", predicate="owns",
        regex=rf"{me('')}(?:买|买了|有了|提了)(?:一?套|一?辆|自己的)?(?P<object>房子?|新房|二手房|车|新车|学区房)(?:了)?{SOFT}{END}",
        examples=(("我买了房，在南山", "房"),),
        counterexamples=("我想买房",),
    ),
    Pattern(
        name="possession.uses_for_years", predicate="uses",
        regex=rf"{ME}用(?P<object>(?!这|那|了|它|你)[^，。！？了]{{2,12}}?)(?:有|已经|都)?(?:好|快)?[几多一二两三四五六七八九十\d]{{1,3}}年(?:了|多|啦)",
        examples=(("我用印象笔记好多年了", "印象笔记"),),
        counterexamples=("我用了三年了",),
    ),
    Pattern(
        name="possession.uses_tool", predicate="uses",
        regex=rf"{ME}(?:是)?用(?:的)?(?P<object>[A-Za-z][A-Za-z0-9_ .+#/-]{{1,24}})(?:的)?(?:系统|编辑器|电脑|手机|浏览器|输入法|党|用户)?{SOFT}{END}",
        examples=(("我用vim", "vim"), ("我用 Arch Linux", "Arch Linux"), ("我用Mac的", "Mac")),
        counterexamples=("我用vim打开报错", "我用了Redis"),
    ),
)
