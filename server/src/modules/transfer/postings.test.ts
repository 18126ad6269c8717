import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyAmount, anyAsset, changesOf, legTexts, timeOfPosting } from '../testing-postings.ts'
import { type SignedTransfer, transferPosting } from './postings.ts'

const now = new Date('2026-03-01T00:00:00Z')
const transfer: SignedTransfer = {
  transferNo: 'T1',
  sender: { id: 1n, uid: 10_001n, address: '0xaa' },
  recipient: { id: 2n, uid: 10_002n, address: '0xbb' },
  asset: 'USDT',
  amount: 7n,
  requestId: 'R1',
  deadline: new Date('2026-03-01T00:05:00Z'),
  signature: '0x1234',
}

describe('the posting of a transfer', () => {
  test('goes from the sender to the recipient', () => {
    expect(legTexts(transferPosting(transfer, now).legs)).toEqual([
      ['member 1 memberAvailable USDT', 'member 2 memberAvailable USDT', 7n],
    ])
  })

  test('the recipient has what the sender gave, and nobody else anything', () => {
    fc.assert(
      fc.property(anyAsset, anyAmount, (asset, amount) => {
        expect(changesOf(transferPosting({ ...transfer, asset, amount }, now).legs)).toEqual({
          [`member 1 memberAvailable ${asset}`]: -amount,
          [`member 2 memberAvailable ${asset}`]: amount,
        })
      }),
    )
  })

  test('says who sent it to whom and what was signed', () => {
    const posting = transferPosting(transfer, now)
    expect(posting.kind).toBe('transfer')
    expect(posting.memo).toEqual({
      transferNo: 'T1',
      from: '0xaa',
      fromUid: '10001',
      to: '0xbb',
      toUid: '10002',
      requestId: 'R1',
      deadline: '2026-03-01T00:05:00.000Z',
      signature: '0x1234',
    })
    expect(posting.occurredAt).toEqual(now)
  })

  test('has the id of its sender and request: the same request with other terms is no second transfer', () => {
    const { id } = transferPosting(transfer, now)
    const { sender, recipient } = transfer
    const changed: SignedTransfer = { ...transfer, transferNo: 'T2', recipient: sender, asset: 'JU', amount: 8n }
    expect(transferPosting(changed, new Date(0)).id).toBe(id)
    expect(transferPosting({ ...transfer, requestId: 'R2' }, now).id).not.toBe(id)
    expect(transferPosting({ ...transfer, sender: recipient }, now).id).not.toBe(id)
  })

  test('its id begins with the time in the request id, whenever it is posted', () => {
    const timed = { ...transfer, requestId: '01a23059a8007abc8def0123456789ab' }
    expect(timeOfPosting(transferPosting(timed, now))).toEqual(new Date('2026-12-01T06:45:11Z'))
  })
})
