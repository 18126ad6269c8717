import type { Endpoints, Key } from '../endpoints.ts'
import type { Language } from '../language.ts'

/** Labels for people of the fields that a refusal (code 400) names. Without a row for each input field nothing compiles. */

type Name = Record<Language, string>
type InputField<K extends Key> = keyof Endpoints[K]['input']['shape'] & string
export type FieldName = { [K in Key]: InputField<K> }[Key]
type PlacedField = { [K in Key]: `${K} ${InputField<K>}` }[Key]

export const fieldNames: Record<FieldName, Name> = {
  address: { zh: '钱包地址', tw: '錢包地址', en: 'Wallet address' },
  message: { zh: '登录消息', tw: '登入訊息', en: 'Sign-in message' },
  sign_message: { zh: '登录签名', tw: '登入簽章', en: 'Sign-in signature' },
  code: { zh: '邀请码', tw: '邀請碼', en: 'Invitation code' },
  replace: { zh: '“退出其他设备”选项', tw: '「登出其他裝置」選項', en: '“Sign out the other devices”' },
  id: { zh: '编号', tw: '編號', en: 'Number' },
  others: { zh: '“其他设备”选项', tw: '「其他裝置」選項', en: '“The other devices”' },
  juUid: { zh: '交易所的 UID', tw: '交易所 UID', en: 'Exchange UID' },

  cursor: { zh: '翻页位置', tw: '分頁位置', en: 'Place in the list' },
  limit: { zh: '每页条数', tw: '每頁筆數', en: 'Lines a page' },
  state: { zh: '订单状态', tw: '訂單狀態', en: 'Order state' },
  type: { zh: '收益类型', tw: '收益類型', en: 'Kind of income' },
  kinds: { zh: '明细类型', tw: '明細類別', en: 'Kind of entry' },
  day: { zh: '日期', tw: '日期', en: 'Day' },
  since: { zh: '起始时间', tw: '起始時間', en: 'From' },
  before: { zh: '截止时间', tw: '結束時間', en: 'Until' },
  account: { zh: '账户', tw: '帳戶', en: 'Account' },
  upTo: { zh: '账本序号', tw: '帳本序號', en: 'Sequence of the ledger' },
  all: { zh: '“全部已读”选项', tw: '「全部已讀」選項', en: '“All read”' },

  planId: { zh: '算力方案', tw: '方案', en: 'Plan' },
  units: { zh: '算力数量', tw: '算力數量', en: 'Units of power' },
  asset: { zh: '币种', tw: '資產', en: 'Asset' },
  amount: { zh: '金额', tw: '金額', en: 'Amount' },
  fee: { zh: '手续费', tw: '手續費', en: 'Fee' },
  maxPayable: { zh: '最高付款金额', tw: '最高支付金額', en: 'Most to pay' },
  minReceived: { zh: '最少到账数量', tw: '最少收到的數量', en: 'Least to receive' },
  to: { zh: '收款人', tw: '收款對象', en: 'Recipient' },
  from: { zh: '付出币种', tw: '支付資產', en: 'Asset to pay with' },
  collateral: { zh: '质押数量', tw: '質押數量', en: 'Collateral' },
  days: { zh: '借款期限', tw: '借款天期', en: 'Term' },
  count: { zh: '分期期数', tw: '分期期數', en: 'Number of installments' },
  mode: { zh: '还款方式', tw: '還款方式', en: 'Way of repaying' },
  open: { zh: '“未结清”选项', tw: '「未結清」選項', en: '“Open loans”' },
  margin: { zh: '保证金', tw: '保證金', en: 'Margin' },
  ratio: { zh: '杠杆倍数', tw: '槓桿倍數', en: 'Leverage ratio' },
  minBought: { zh: '最少买入数量', tw: '最少買入數量', en: 'Least to buy' },
  acceptWarning: { zh: '风险确认', tw: '風險確認', en: 'Confirmation of the risk' },
  percent: { zh: '平仓比例', tw: '平倉比例', en: 'Part to close' },
  minProceeds: { zh: '最少所得金额', tw: '最少所得金額', en: 'Least to receive' },
  period: { zh: '账单时段', tw: '帳單期間', en: 'Period' },
  deadline: { zh: '签名有效期', tw: '簽署期限', en: 'Time to sign' },
  signature: { zh: '签名', tw: '簽章', en: 'Signature' },

  requestId: { zh: '请求编号', tw: '請求編號', en: 'Request number' },
  orderNo: { zh: '订单编号', tw: '訂單編號', en: 'Order number' },
  depositNo: { zh: '充值单号', tw: '存入編號', en: 'Deposit number' },
  withdrawalNo: { zh: '提现单号', tw: '提領編號', en: 'Withdrawal number' },
  projectNo: { zh: '借款产品编号', tw: '借款方案編號', en: 'Project number' },
  loanNo: { zh: '借款编号', tw: '借款編號', en: 'Loan number' },
  part: { zh: '分段序号', tw: '分段序號', en: 'Part' },
  quoteNo: { zh: '报价编号', tw: '報價編號', en: 'Quote number' },
}

/** Labels of fields that mean something else at one endpoint than at the others. */
export const placedFieldNames: { [F in PlacedField]?: Name } = {
  'POST auth/revoke id': { zh: '要退出的设备', tw: '要登出的裝置', en: 'Device to sign out' },
  'POST notice/read id': { zh: '消息编号', tw: '通知編號', en: 'Notice' },
  'POST finance/transferOut all': { zh: '“全部转出”选项', tw: '「全部轉出」選項', en: '“Take everything out”' },
  'POST exchange/quote to': { zh: '换入币种', tw: '換入資產', en: 'Asset to receive' },
}

const named: Readonly<Record<string, Name | undefined>> = fieldNames
const placed: Readonly<Record<string, Name | undefined>> = placedFieldNames

/** The label of an input field; undefined for an unknown field. `key` is the endpoint, where one was called. */
export const fieldName = (field: string, lang: Language, key?: Key): string | undefined =>
  (placed[`${key} ${field}`] ?? named[field])?.[lang]
