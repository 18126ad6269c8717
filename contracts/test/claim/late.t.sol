// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAttestedGateway} from "../../src/IAttestedGateway.sol";
import {ExitTest} from "../base/ExitTest.sol";
import {vm} from "../base/Vm.sol";

contract LateClaimTest is ExitTest {
    /// Half is held, and one of three claims years later.
    function test_WhoComesAfterTheYearGetsItsShare() public {
        Proof[4] memory proofs = _heldOnly(300);
        _claim(proofs[0]);
        _claim(proofs[1]);
        _toSharingAgain();
        vm.warp(block.timestamp + 10 * 365 days);
        for (uint256 i = 0; i < 2; ++i) {
            vm.assertEq(gateway.claimable(members[i], proofs[i].leaf.owed)[0], 0, "its share is nobody else's");
            vm.expectRevert(abi.encodeWithSelector(IAttestedGateway.NothingToClaim.selector, members[i]));
            _claim(proofs[i]);
        }
        vm.assertEq(gateway.claimable(members[2], proofs[2].leaf.owed)[0], 150, "half of it");
        _claim(proofs[2]);
        vm.assertEq(usdt.balanceOf(members[2]), 150, "half");
        vm.assertTrue(gateway.isClaimed(members[2])[0], "claimed");
        vm.assertEq(usdt.balanceOf(address(gateway)), 0, "nothing is locked");
        vm.expectRevert(abi.encodeWithSelector(IAttestedGateway.NothingToClaim.selector, members[2]));
        _claim(proofs[2]);
    }

    /// Half is held after a stranger was paid 60: who claims late may lack so much, because those who came first are given what they lack.
    function test_WhoComesLateBearsWhatWasPaid() public {
        _fundAll(360);
        Proof[4] memory proofs = _attest(_plain());
        _pay(address(usdt), stranger, 60);
        _exit();
        _claim(proofs[0]);
        _claim(proofs[1]);
        _toSharingAgain();
        vm.assertEq(gateway.claimable(members[0], proofs[0].leaf.owed)[0], 20, "a third of 60");
        vm.assertEq(gateway.claimable(members[2], proofs[2].leaf.owed)[0], 90, "150 less 60");
        _claim(proofs[2]);
        vm.assertEq(gateway.claimable(members[2], proofs[2].leaf.owed)[0], 0, "the rest is promised");
        _claim(proofs[0]);
        _claim(proofs[1]);
        vm.assertEq(usdt.balanceOf(members[0]), 70, "50 and 20");
        vm.assertEq(usdt.balanceOf(members[1]), 140, "100 and 40");
        vm.assertEq(usdt.balanceOf(members[2]), 90, "what is left");
        vm.assertEq(usdt.balanceOf(address(gateway)), 0, "nothing is locked");
    }

    /// Payments before the attested block are in the leaves: a day of them counts against who comes late, and no more.
    function test_OldPaymentsAreNotBorneByWhoComesLate() public {
        _fundAll(400);
        _pay(address(usdt), stranger, 100);
        vm.warp(block.timestamp + 1 days);
        _nextBlock();
        _attest(_plain());
        vm.warp(block.timestamp + 1 days);
        _nextBlock();
        Proof[4] memory proofs = _attest(_plain());
        _exit();
        _claim(proofs[0]);
        _toSharingAgain();
        vm.assertEq(gateway.claimable(members[0], proofs[0].leaf.owed)[0], 0, "nothing is left over");
        _claim(proofs[1]);
        _claim(proofs[2]);
        vm.assertEq(usdt.balanceOf(members[1]) + usdt.balanceOf(members[2]), 250, "their shares");
    }

    function test_WhereEnoughIsHeldClaimsNeverEnd() public {
        _fund(address(usdt), 600);
        _fund(address(hash), 300);
        Proof[4] memory proofs = _attest(_plain());
        _exit();
        _claim(proofs[0]);
        _toSharingAgain();
        vm.warp(block.timestamp + 10 * 365 days);
        _claim(proofs[2]);
        vm.assertEq(usdt.balanceOf(members[2]), 300, "all of what all get");
        vm.assertEq(hash.balanceOf(members[2]), 150, "and its share of what is short");
        vm.expectRevert(abi.encodeWithSelector(IAttestedGateway.NothingToClaim.selector, members[0]));
        _claim(proofs[0]);
        vm.assertEq(usdt.balanceOf(members[0]), 100, "once");
        vm.assertEq(hash.balanceOf(members[0]), 50, "as its share of what is short");
    }

    /// A late claim lacks of its share at most what was paid to others, all get what is held at most, and nothing is locked.
    function testFuzz_WhoComesLateIsBounded(uint64[3] memory owed, uint64[4] memory paid, uint64 held, uint8 who)
        public
    {
        _raise(address(usdt), type(uint104).max);
        uint128[3][4] memory leaves;
        for (uint256 i = 0; i < 3; ++i) {
            leaves[i][0] = owed[i];
        }
        Proof[4] memory proofs = _attest(leaves);
        for (uint256 i = 0; i < 4; ++i) {
            _fund(address(usdt), paid[i]);
            if (paid[i] != 0) _pay(address(usdt), i < 3 ? members[i] : stranger, paid[i]);
        }
        _fund(address(usdt), held);
        _exit();
        for (uint256 i = 0; i < 3; ++i) {
            if (who >> i & 1 == 1) _tryClaim(proofs[i]);
        }
        _toSharingAgain();
        // In any order, and a year after the first claim at the latest.
        for (uint256 i = 0; i < 6; ++i) {
            if (i == 3) vm.warp(block.timestamp + 365 days);
            _tryClaim(proofs[(i + who) % 3]);
        }
        _expectBounded(owed, paid, held);
    }

    function _expectBounded(uint64[3] memory owed, uint64[4] memory paid, uint256 held) private view {
        uint256 all = uint256(owed[0]) + owed[1] + owed[2];
        uint256 paidOut = uint256(paid[0]) + paid[1] + paid[2] + paid[3];
        bool anyLacks = false;
        for (uint256 i = 0; i < 3; ++i) {
            uint256 has = usdt.balanceOf(members[i]);
            uint256 share = held < all ? owed[i] * held / all : owed[i];
            vm.assertLe(has, owed[i] > paid[i] ? owed[i] : paid[i], "no more than its leaf");
            vm.assertLe(share, has + paidOut - paid[i], "its share but for what was paid to others");
            if (has < owed[i]) anyLacks = true;
        }
        uint256 remains = usdt.balanceOf(address(gateway));
        if (anyLacks) vm.assertLe(remains, 6, "nothing is locked while somebody lacks anything");
    }

    function _tryClaim(Proof memory proof) private {
        try gateway.claim(proof.leaf, proof.salt, proof.path) {} catch {}
    }
}
