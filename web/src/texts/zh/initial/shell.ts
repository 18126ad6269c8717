import type { texts as tw } from '../../tw/initial/shell.ts'

export const texts: Record<keyof typeof tw, string> = {
  'nav.label': '主要功能区',
  'nav.logo': 'Candela 首页',

  'language.title': '选择语言',
  'language.button': '选择语言',

  'wallet.connect': '连接钱包',
  'wallet.account': '账户 {address}',
  'wallet.accountChanged': '钱包账户已切换，正在重新加载',
  'wallet.locked': '钱包已锁定或断开连接。你仍然是登录状态，付款或签名时再解锁就行。',

  'account.title': '我的钱包',
  'account.address': '钱包地址',
  'account.wallet': '钱包',
  'account.walletUsdt': '钱包里的 USDT',
  'account.allowance': '已授权给合约的额度',
  'account.unread': '暂时读不到',
  'account.chain': '区块链 ID',
  'account.notConnected': '钱包已锁定或未连接',
  'account.signIn': '登录',
  'account.signOut': '退出登录',

  'invite.title': '邀请码',
  'invite.text': '这个地址第一次登录，需要填写邀请码。',
  'invite.placeholder': '请输入邀请码',
  'invite.form': '邀请码只含字母和数字，最多 16 位，请再核对一下',
  'invite.confirm': '确定',

  'devices.title': '改在这台设备登录？',
  'devices.text': '其他设备会马上退出登录，之后用同一个钱包可以再登录。',
  'devices.replace': '退出其他设备',
  'state.offlineNotice': '当前离线，数字可能不是最新的',
  'state.chainDelayed': '链上暂时没有新区块。已付的款项不会丢失，恢复后就会入账。',
  'state.newBuild': '有新版本可用。',
  'state.toExit': '前往“自行取回”',
  'state.reload': '重新加载',
  'state.clockOff': '这台设备的时间与服务相差约 {time}。期限一律按服务的时间计算；建议在系统设置里打开“自动设置时间”。',
  'state.broken': '页面出错了。如果操作没有反应，请重新加载；仍然如此时，请把这段文字发给客服：{detail}',
  'notice.bell': '消息',
  'notice.bellUnread': '消息，{count} 条未读',
}
