import type { texts as tw } from '../tw/sign-in-help.ts'

export const texts: Record<keyof typeof tw, string> = {
  'visit.needWallet': '请用钱包自带的浏览器打开本页，或安装 MetaMask 之类的浏览器钱包。',
  'visit.refused': '你在钱包里取消了签名，没有登录，也没有动用任何资产。随时可以再试。',
  'visit.failed': '这次没有登录成功。你的资产不受影响，请再试一次。',
  'visit.refusedConnect': '你在钱包里拒绝了连接，我们看不到你的地址，也没有登录。随时可以再试。',
  'visit.walletBusy': '钱包里有一个请求在等待。请打开钱包处理，再回到这里。',
  'visit.silent': '钱包没有回应。请打开钱包、解锁后再试一次；你的资产不受影响。',
  'visit.slow': '钱包还没有回应。请打开钱包看看有没有请求在等待，也可以再试一次。',
}
