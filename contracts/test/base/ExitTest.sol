// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MuteToken} from "../mocks/WeirdTokens.sol";
import {ProofTest} from "./ProofTest.sol";
import {vm} from "./Vm.sol";

/// @notice Puts the gateway into exit mode.
abstract contract ExitTest is ProofTest {
    /// @dev In exit mode, with so much held of each asset, and so much USDT paid to the first member since.
    function _paidSince(uint256 held, uint256 paid) internal returns (Proof[4] memory proofs) {
        _fundAll(held + paid);
        proofs = _attest(_plain());
        _pay(address(usdt), members[0], paid);
        _exit();
    }

    /// @dev A subcoin that can fail to tell balances is attested, and 600 of each asset are held.
    function _withMuteSubcoin() internal returns (Proof[4] memory proofs, MuteToken mute) {
        mute = new MuteToken(address(this));
        vm.prank(owner);
        gateway.setSubcoin(address(mute));
        _fundAll(600);
        require(mute.transfer(address(gateway), 600));
        proofs = _attest(_plain());
    }

    /// @dev In exit mode, with so much held of each asset.
    function _heldOnly(uint256 held) internal returns (Proof[4] memory proofs) {
        _fundAll(held);
        proofs = _attest(_plain());
        _exit();
    }

    /// @dev In exit mode with exactly what is owed.
    function _opened() internal returns (Proof[4] memory proofs) {
        return _heldOnly(600);
    }
}
