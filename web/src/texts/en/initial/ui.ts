import type { texts as tw } from '../../tw/initial/ui.ts'

export const texts: Record<keyof typeof tw, string> = {
  'http.request': 'Request error. Please try again later',
  'http.repeated': 'The same request is still being worked on',
  'http.timeout': 'This took too long. Please try again',
  'http.connect': 'Could not reach the server',
  'http.abnormal': 'Unexpected server status. Please try again later',
  'http.insecure':
    'This address does not begin with https, so the browser offers no encryption. Please open the https:// address',

  'state.failed': 'This did not load',
  'state.failedText': 'The connection may have dropped. Nothing of yours was affected.',
  'state.slow': 'Still loading. The connection is slow.',
  'state.offline': 'You are offline',
  'state.offlineText': 'This loads by itself once you are back.',

  'ui.close': 'Close',
  'ui.cancel': 'Cancel',
  'ui.retry': 'Try again',
  'ui.copied': 'Copied',
  'ui.copyFailed': 'The browser does not allow copying. Press and hold to select',
  'ui.copyWhat': 'Copy: {what}',
  'ui.openExplorer': 'Open in the explorer: {what}',
  'ui.whereFrom': 'Where this comes from',
  'ui.less': 'Less',
  'ui.more': 'More',
  'ui.loadMore': 'Load more',
}
