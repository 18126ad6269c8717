import type { ErrorName } from './codes.ts'
import type { Language } from '../language.ts'

/**
 * The texts of each code. The server sends them; the app shows them itself when an answer has no message. `{name}` is
 * filled from the error's parameters; a part in square brackets is left out when one of its values is missing.
 */
export const codeMessages: Record<ErrorName | 'ok', Record<Language, string>> = {
  ok: { zh: '成功', tw: '完成', en: 'OK' },
  invalidInput: {
    zh: '{field}格式不正确，请检查后再试',
    tw: '{field}格式不正確，請檢查後再試',
    en: 'Please check what you entered[ as “{field}”]: it is not in the right form',
  },
  noSession: {
    zh: '登录已失效，请重新登录',
    tw: '登入已失效，請重新登入',
    en: 'Your session has ended. Please sign in again',
  },
  notFound: { zh: '没有找到相关内容', tw: '找不到相關內容', en: 'We could not find that' },
  tooLarge: { zh: '提交的内容过大', tw: '送出的內容過大', en: 'That request is too large' },
  slowDown: {
    zh: '操作太频繁，请稍后再试[（{seconds} 秒后）]',
    tw: '操作過於頻繁，請稍後再試[（{seconds} 秒後）]',
    en: 'Too many requests. Try again[ in {seconds} s]',
  },
  ourFault: {
    zh: '服务出了点问题，你的资金不受影响，请稍后再试[（编号 {reference}）]',
    tw: '服務發生問題，您的資金不受影響，請稍後再試[（編號 {reference}）]',
    en: 'Something went wrong on our side. Your money is safe; please try again[ (reference {reference})]',
  },
  deviceLimit: {
    zh: '登录设备数量超过限制[（最多 {limit} 台）]',
    tw: '登入裝置數量超過上限[（最多 {limit} 台）]',
    en: 'Your signed-in devices exceed the limit[ (at most {limit})]',
  },
  invitationNeeded: {
    zh: '新地址首次登录需要邀请码',
    tw: '新地址首次登入需要邀請碼',
    en: 'A new address needs an invitation code for its first sign-in',
  },
  invitationUnknown: {
    zh: '邀请码不存在或已停用',
    tw: '邀請碼不存在或已停用',
    en: 'This invitation code is not valid',
  },
  loginMessageUsed: {
    zh: '登录消息已使用或已过期，请重新登录',
    tw: '登入訊息已使用或已逾期，請重新登入',
    en: 'The sign-in message was used or has expired. Please sign in again',
  },
  signatureWrong: {
    zh: '签名与该地址不符',
    tw: '簽章與此地址不符',
    en: 'The signature does not match this address',
  },
  juUidTaken: {
    zh: '这个 UID 已经绑在另一个账户上',
    tw: '這個 UID 已綁定其他帳戶',
    en: 'Another account already uses this UID',
  },
  requestIdReused: {
    zh: '该请求编号已用于不同的内容',
    tw: '此請求編號已用於不同的內容',
    en: 'This request id was already used with other input',
  },
  requestTooOld: {
    zh: '此请求已超过 30 天，不再执行。是否已完成，请在“资金明细”里查看',
    tw: '此請求已超過 30 天，不再執行。是否已完成，請在「帳務明細」查看',
    en: 'This request is older than 30 days and is not carried out any more. Your statement shows whether it was done.',
  },
  requestGivenUp: {
    zh: '此请求已被放弃，没有执行',
    tw: '此請求已放棄，沒有執行',
    en: 'This request was given up, and nothing was done',
  },
  notEnoughBalance: {
    zh: '余额不足[，可用 {available} {asset}]',
    tw: '餘額不足[，可用 {available} {asset}]',
    en: 'Not enough balance[: {available} {asset} available]',
  },
  belowMinimum: { zh: '低于最小值[ {minimum}]', tw: '低於最小值[ {minimum}]', en: 'Below the minimum[ of {minimum}]' },
  aboveLimit: { zh: '超过上限[ {limit}]', tw: '超過上限[ {limit}]', en: 'Above the limit[ of {limit}]' },
  priceMoved: {
    zh: '价格已变动，请确认新的价格',
    tw: '價格已變動，請確認新的價格',
    en: 'The price has moved. Please review the new one',
  },
  recipientUnknown: {
    zh: '收款方尚未注册',
    tw: '收款方尚未註冊',
    en: 'The recipient has no account here',
  },
  deskShort: {
    zh: '兑换库存不足[，目前最多可兑换 {limit}]',
    tw: '兌換庫存不足[，目前最多可兌換 {limit}]',
    en: 'The exchange desk is short[: at most {limit}] right now',
  },
  termsExpired: {
    zh: '签名已过期，没有任何资金变动，请重新签名',
    tw: '簽署已逾時，資產沒有任何變動，請重新簽署',
    en: 'The signature has expired and nothing was moved. Please sign again',
  },
  tooManyDeposits: {
    zh: '待付款的充值单过多[（最多 {limit} 笔）]，请先付款或等待其过期',
    tw: '待付款的存入單過多[（最多 {limit} 筆）]，請先付款或等待逾期',
    en: 'You have too many unpaid deposits[ (at most {limit})]. Pay one, or wait until one lapses',
  },
  tooManyWithdrawals: {
    zh: '进行中的提现过多[（最多 {limit} 笔）]，请等其中一笔完成',
    tw: '進行中的提領過多[（最多 {limit} 筆）]，請等其中一筆完成',
    en: 'You have too many withdrawals under way[ (at most {limit})]. Wait until one of them is done',
  },
  transferLimit: {
    zh: '今日转账次数已用完[（每日 {limit} 次）]，请在 UTC 零点后再试',
    tw: '今日轉帳次數已用完[（每日 {limit} 次）]，請於 UTC 零時後再試',
    en: 'You have made all your transfers of today[ ({limit} a day)]. Try again after midnight UTC',
  },
  dailyLimit: {
    zh: '今日不收费的操作次数已用完[（每日 {limit} 次）]，请在 UTC 零点后再试',
    tw: '今日免費操作次數已用完[（每日 {limit} 次）]，請於 UTC 零時後再試',
    en: 'You have used all free operations of today[ ({limit} a day)]. Try again after midnight UTC',
  },
  overCreditLimit: {
    zh: '超过信用额度[，可用额度 {limit} USDT]',
    tw: '超過信用額度[，可用額度 {limit} USDT]',
    en: 'Over your credit limit[: {limit} USDT available]',
  },
  fundShort: {
    zh: '基金可用资金不足[，目前可转出 {limit} USDT]',
    tw: '基金可用資金不足[，目前可轉出 {limit} USDT]',
    en: 'The fund has too little idle money right now[: {limit} USDT]',
  },
  loanState: {
    zh: '该借款当前状态不支持此操作',
    tw: '此借款目前的狀態無法進行這項操作',
    en: 'This loan’s current state does not allow that',
  },
  marginTooSmall: {
    zh: '保证金不足[，至少需要 {minimum} USDT]',
    tw: '保證金不足[，至少需要 {minimum} USDT]',
    en: 'Margin too small[: at least {minimum} USDT]',
  },
  projectClosed: { zh: '该借款产品已关闭', tw: '此借款方案已關閉', en: 'This project is closed' },
  fundClosing: {
    zh: '基金正在日结，结完即可转入，请稍后再试',
    tw: '基金正在進行每日結算，完成後即可轉入，請稍後再試',
    en: 'The fund is being closed for the day. Money can be moved in again when that is done',
  },
  planSoldOut: {
    zh: '剩余算力不足[，还剩 {left}]',
    tw: '剩餘算力不足[，尚餘 {left}]',
    en: 'Not enough power left in this plan[: {left} left]',
  },
  orderExpired: {
    zh: '订单已过期，请重新下单',
    tw: '訂單已逾期，請重新下單',
    en: 'This order has expired. Please place a new one',
  },
  pricePaused: {
    zh: '[{asset} ]价格波动过大或没有最新报价，相关操作已暂停，恢复后可继续',
    tw: '[{asset} ]價格波動過大或沒有最新報價，相關操作已暫停，恢復後即可繼續',
    en: 'The[ {asset}] price moves too fast or is too old. It is paused until it is reliable again',
  },
  chainBehind: {
    zh: '链上数据同步延迟，请稍后再试',
    tw: '鏈上資料同步延遲，請稍後再試',
    en: 'Our view of the chain is behind. Please try again shortly',
  },
  withdrawalsPaused: {
    zh: '对账未通过，提现暂停，资金不受影响',
    tw: '對帳尚未相符，提領暫停，資金不受影響',
    en: 'Withdrawals are paused until reconciliation agrees. Your money is safe',
  },
  exitMode: {
    zh: '服务已终止。请用保存的证明到“退出”页面从合约领取你的资产',
    tw: '服務已終止。請用已儲存的證明到「退出」頁面，從合約領取您的資產',
    en: 'The service has ended. Claim what is yours from the contract on the page “Exit”, with your saved proof',
  },
}
