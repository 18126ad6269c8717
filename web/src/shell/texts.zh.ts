import type { texts as tw } from './texts.tw.ts'

export const texts: Record<keyof typeof tw, string> = {
  'nav.label': '主要功能区',
  'nav.logo': 'Candela 首页',

  'language.title': '选择语言',
  'language.button': '选择语言',

  'wallet.connect': '连接钱包',
  'wallet.choose': '选择钱包',
  'wallet.account': '账户 {address}',
  'wallet.notInstalled': '请先安装钱包（如 MetaMask）',
  'wallet.refused': '你在钱包里取消了，还没有登录',
  'wallet.wrongChain': '钱包当前不在要求的网络上',
  'wallet.failed': '钱包没有完成这一步，请再试一次',
  'wallet.accountChanged': '钱包账户已切换，正在重新加载',

  'account.title': '我的钱包',
  'account.address': '钱包地址',
  'account.wallet': '钱包',
  'account.walletUsdt': '钱包里的 USDT',
  'account.allowance': '已授权给合约的额度',
  'account.unread': '未读取',
  'account.signIn': '登录',
  'account.signOut': '退出登录',

  'network.title': '网络错误',
  'network.text': '当前网络不受支持，请把钱包切换到下面的网络再继续。',
  'network.name': '网络名称',
  'network.chainId': '链 ID',
  'network.rpc': 'RPC 地址',
  'network.recheck': '重新检测',
  'network.switch': '切换网络',
  'network.stillWrong': '钱包还在链 {chainId} 上，没有切换过来。',
  'network.switchRefused': '你在钱包里取消了切换',
  'network.switchFailed': '钱包没能自动切换，请在钱包里手动添加这个网络',

  'invite.title': '邀请码',
  'invite.text': '这个地址第一次登录，需要填写邀请码。',
  'invite.placeholder': '请输入邀请码',
  'invite.confirm': '确定',

  'devices.title': '改在这台设备登录？',
  'devices.text': '其他设备会马上退出登录，之后用同一个钱包可以再登录。',
  'devices.replace': '退出其他设备',
  'state.offlineNotice': '当前离线，数字可能不是最新的',
  'notice.bell': '消息',
  'notice.bellUnread': '消息，{count} 条未读',
}
