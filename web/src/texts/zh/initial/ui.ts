import type { texts as tw } from '../../tw/initial/ui.ts'

export const texts: Record<keyof typeof tw, string> = {
  'http.request': '请求出错，请稍后再试',
  'http.repeated': '上一个相同的请求还在处理',
  'http.timeout': '等待超时，请再试一次',
  'http.connect': '连接不上服务器',
  'http.abnormal': '服务器状态异常，请稍后再试',
  'http.insecure': '这个网址不是 https 开头，浏览器因此不提供加密。请改用 https:// 的网址打开',

  'state.failed': '这里没能加载出来',
  'state.failedText': '网络可能断了。你的数据没有受影响。',
  'state.slow': '网络很慢，仍在加载。',
  'state.offline': '现在没有网络',
  'state.offlineText': '网络恢复后会自动加载。',

  'ui.close': '关闭',
  'ui.cancel': '取消',
  'ui.retry': '重试',
  'ui.copied': '已复制',
  'ui.copyFailed': '浏览器不允许复制，请长按选择',
  'ui.copyWhat': '复制{what}',
  'ui.openExplorer': '在区块浏览器中查看{what}',
  'ui.whereFrom': '数字从哪里来',
  'ui.less': '减少',
  'ui.more': '增加',
  'ui.loadMore': '加载更多',
}
