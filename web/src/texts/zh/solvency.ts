import type { texts as tw } from '../tw/solvency.ts'

export const texts: Record<keyof typeof tw, string> = {
  'solvency.none': '还没有对过账',
  'solvency.noneText': '服务每分钟把账本和链上核对一次。第一次完成之后，这里会列出每种资产的持有和应付。',
  'solvency.ratio': '偿付率',
  'solvency.lowest': '偿付率（最低：{asset}）',
  'solvency.ratioFrom':
    '合约在链上持有的数量，除以应付给所有人的数量，每种资产分别计算，只舍不入。这里显示最低的一项。',
  'solvency.compared': '{age}对账',
  'solvency.covered': '每种资产的持有量都够支付全部应付款。',
  'solvency.short': '合约持有的少于应付总额，差 {missing}。',
  'solvency.and': '、',
  'solvency.old': '上一次对账是{age}，时间太久，说明不了现在的情况。对账恢复后会自动更新。',
  'solvency.nothingOwed': '没有应付款',
  'solvency.held': '链上持有',
  'solvency.heldFrom': '在对账的那个区块，收款合约在链上的余额。谁都可以向链查询。',
  'solvency.owed': '应付总额',
  'solvency.owedFrom':
    '同一时刻账本上应付的总额。借款人的负债先从他的 USDT 里扣，不够的再按 30 分钟均价从抵押物里扣。平台自己的资金不算在内。',
  'solvency.owedMembers': '属于会员',
  'solvency.owedUnassigned': '还没入账',
  'solvency.over': '多出',
  'solvency.overFrom': '持有减去应付：平台自己的库存、准备金和收入，也都放在同一个合约里。',
  'solvency.missing': '缺口',
  'solvency.missingFrom':
    '应付减去持有。借出去的 USDT 不在合约里，由借款人的抵押物担保；缺口大于借出的部分，才是真的少了。',
  'solvency.exact': '完整数字：{amount}。',
  'solvency.history': '最近七天',
  'solvency.asset': '资产',
  'solvency.noHistory': '再过一个小时，这里就会有图。',
  'solvency.pickHour': '选择时间',
  'solvency.axis': '虚线是 100%',
  'solvency.source': '对账依据',
  'solvency.block': '区块',
  'solvency.books': '账本和链上',
  'solvency.agrees': '一致',
  'solvency.differs': '不一致',
  'solvency.booksFrom':
    '账本记载合约应有多少，和合约实际有多少，两边核对。连续不一致时，提现会自动暂停，直到查明原因。',
  'solvency.contract': '收款合约',
}
