import type { texts as tw } from './texts.tw.ts'

export const texts: Record<keyof typeof tw, string> = {
  'wallet.choose': '选择钱包',
  'wallet.chooseAgain': '请选择持有 {address} 的钱包，之前用的钱包不在这个浏览器里。',
  'wallet.noneHere': '这个浏览器里没有钱包，请从别处连接。',
  'wallet.remote': '用手机上的钱包扫描二维码',
  'wallet.remotePhone': '连接这部手机上的钱包应用',
  'wallet.elsewhere': '在钱包应用的浏览器中使用 Candela',

  'wallet.notInstalled': '请先安装钱包（如 MetaMask）',
  'wallet.refusedConnect': '你在钱包里拒绝了连接，还没有登录',
  'wallet.refused': '你在钱包里取消了签名，还没有登录',
  'wallet.busy': '钱包里有一个请求在等待，请打开钱包处理',
  'wallet.silent': '钱包没有回应。请打开钱包、解锁后再试一次',
  'wallet.failed': '钱包没有完成这一步，请再试一次',
  'wallet.slow': '钱包还没有回应，请打开钱包看看有没有请求在等待',
  'wallet.stopWaiting': '不等了',

  'elsewhere.title': '在钱包里打开',
  'elsewhere.onPhone': '用手机继续',
  'elsewhere.text': '这个浏览器里没有钱包。请选择你的钱包，Candela 会在它的浏览器里打开。',
  'elsewhere.onPhoneText':
    '这个浏览器里没有钱包。请用手机扫码，再从钱包的浏览器打开；也可以在这里安装 MetaMask 之类的浏览器钱包。',
  'elsewhere.code': '邀请码 {code} 会一起带过去。',
  'elsewhere.copy': '复制链接',
  'elsewhere.qr': '本页链接的二维码',

  'pairing.title': '连接钱包',
  'pairing.scan': '请用手机上的钱包扫描这个二维码，并在钱包中同意连接。',
  'pairing.open': '请选择钱包并同意连接，再回到这里。',
  'pairing.other': '其他钱包应用',
  'pairing.copy': '复制连接码',
  'pairing.qr': '供钱包扫描的连接二维码',

  'network.title': '网络错误',
  'network.text': '当前网络不受支持，请把钱包切换到下面的网络再继续。切换好后，这个窗口会自动关闭。',
  'network.name': '网络名称',
  'network.chainId': '链 ID',
  'network.rpc': 'RPC 地址',
  'network.recheck': '重新检查',
  'network.switch': '切换网络',
  'network.asked': '请在钱包里确认切换',
  'network.stillWrong': '钱包还在链 {chainId} 上，没有切换。',
  'network.refused': '你在钱包里取消了切换。',
  'network.busy': '钱包里有一个请求在等待，请打开钱包处理。',
  'network.silent': '钱包没有回应。请打开钱包、解锁后再检查一次。',
  'network.failed': '钱包没法自动切换，请在钱包里手动添加这个网络。',
}
