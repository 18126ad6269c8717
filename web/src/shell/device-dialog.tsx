import { useTranslation } from '../i18n/use-translation.ts'
import { Button } from '../ui/control/button.tsx'
import { Sheet } from '../ui/overlay/sheet.tsx'
import { useStore } from '../lib/store.ts'
import { deviceDialog } from './dialogs.ts'
import { useApp } from '../session/app-context.tsx'

const close = () => deviceDialog.set(null)

/** Code 4001: too many devices. The message names the limit; the dialog offers to sign the others out. */
export default function DeviceDialog() {
  const { t } = useTranslation()
  const { signIn, signedOutReason } = useApp()
  const asked = useStore(deviceDialog)
  /** Home then says why nobody is signed in, and the wallet is not asked again before the next tap. */
  const leave = () => {
    signedOutReason.set('tooMany')
    close()
  }
  return (
    <Sheet
      kind="dialog"
      open={asked !== null}
      title={t('devices.title')}
      onClose={leave}
      footer={
        <>
          <Button
            look="primary"
            block
            onClick={() => {
              const code = asked?.code ?? ''
              close()
              void signIn.replacingDevices(code)
            }}
          >
            {t('devices.replace')}
          </Button>
          <Button block onClick={leave}>
            {t('ui.cancel')}
          </Button>
        </>
      }
    >
      <p>{asked?.message}</p>
      <p className="muted">{t('devices.text')}</p>
    </Sheet>
  )
}
