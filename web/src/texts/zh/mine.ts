import type { texts as tw } from '../tw/mine.ts'

export const texts: Record<keyof typeof tw, string> = {
  'mine.noTotal': '价格恢复后显示',
  'mine.available': '可用余额',
  'mine.held': '冻结',
  'mine.heldFrom': '正在提现、还没付出去的钱。付出后扣掉；没付出去会全部退回可用余额。',
  'mine.worth': '约合 {worth} USDT',
  'mine.balanceFrom': '你账户里每一笔进出的总和，可以在“资金明细”里逐笔核对。',
  'mine.average': '均价（{minutes} 分钟）',
  'mine.spot': '现价',
  'mine.observed': '读取时间',
  'mine.actions': '可以做的事',
  'mine.records': '记录',
  'mine.shares': '各资产价值占比',
  'mine.assets': '资产',
  'mine.uid': '交易所 UID',
  'mine.uidNone': '还没填',
  'mine.uidText': '你填的交易所 UID。没有验证过，只用来显示，不会往这里付款。',
  'mine.uidWrong': '请输入 1 到 18 位数字',
  'mine.uidSave': '保存',
}
