// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAttestedGateway} from "../../src/IAttestedGateway.sol";
import {ExitTest} from "../base/ExitTest.sol";
import {vm} from "../base/Vm.sol";

contract SharingTest is ExitTest {
    event Claimed(address indexed member, address asset, uint256 amount);

    /// 1,000 are owed and held, 900 are paid before the exit: nothing of the 100 that remain is locked.
    function test_WhatIsLeftIsSharedAfterAYear() public {
        _fundAll(1_000);
        uint128[3][4] memory owed;
        (owed[0], owed[1]) = ([uint128(900), 900, 900], [uint128(100), 100, 100]);
        Proof[4] memory proofs = _attest(owed);
        for (uint256 i = 0; i < 3; ++i) {
            _pay(_assets()[i], members[0], 900);
        }
        _exit();
        vm.expectRevert(abi.encodeWithSelector(IAttestedGateway.NothingToClaim.selector, members[0]));
        _claim(proofs[0]);
        _claim(proofs[1]);
        vm.warp(gateway.exitedAt() + 365 days - 1);
        vm.expectRevert(abi.encodeWithSelector(IAttestedGateway.NothingToClaim.selector, members[1]));
        _claim(proofs[1]);
        for (uint256 i = 0; i < 3; ++i) {
            vm.assertEq(_balance(_assets()[i], members[1]), 10, "a tenth at first, as 100 are held for 1,000");
            vm.assertEq(gateway.sharedAtExit()[i].lacking, 90, "and lacks the rest");
            vm.assertTrue(!gateway.isClaimedAgain(members[1])[i], "not yet again");
        }
        vm.warp(gateway.exitedAt() + 365 days);
        vm.assertEq(gateway.claimable(members[1], proofs[1].leaf.owed)[0], 90, "claimable again");
        _claim(proofs[1]);
        for (uint256 i = 0; i < 3; ++i) {
            vm.assertEq(_balance(_assets()[i], members[1]), 100, "the whole leaf");
            vm.assertEq(_balance(_assets()[i], address(gateway)), 0, "nothing is locked");
            vm.assertTrue(gateway.isClaimedAgain(members[1])[i], "claimed again");
        }
        vm.expectRevert(abi.encodeWithSelector(IAttestedGateway.NothingToClaim.selector, members[1]));
        _claim(proofs[1]);
    }

    /// A member who was paid its first share before the exit still lacks the rest of its leaf.
    function test_AFirstClaimOfNothingCounts() public {
        Proof[4] memory proofs = _paidSince(300, 60);
        vm.expectEmit(true, true, true, true, address(gateway));
        emit Claimed(members[0], address(usdt), 0);
        _claim(proofs[0]);
        vm.assertEq(gateway.sharedAtExit()[0].lacking, 40, "half of 100 is less than the 60 that it has");
        _toSharingAgain();
        _claim(proofs[0]);
        vm.assertEq(usdt.balanceOf(members[0]), 100, "the whole leaf, as nobody else has claimed");
    }

    function test_LaterMoneyChangesNoPartOfTheRest() public {
        Proof[4] memory proofs = _heldOnly(60);
        for (uint256 i = 0; i < 3; ++i) {
            _claim(proofs[i]);
        }
        _toSharingAgain();
        _fundAll(54);
        _claim(proofs[0]);
        vm.assertEq(usdt.balanceOf(members[0]), 19, "10 at first, then a tenth of the 90 that it lacks");
        vm.assertEq(gateway.sharedAtExit()[0].left, 54, "is fixed by it");
        _fundAll(1_000);
        _claim(proofs[1]);
        vm.assertEq(usdt.balanceOf(members[1]), 38, "the same part");
    }

    /// Where nothing of an asset is held, one unit of a stranger's is what is shared: what comes later waits a year, and is not lost.
    function test_OneUnitOfAStrangersLocksNothing() public {
        Proof[4] memory proofs = _attest(_plain());
        _exit();
        _fund(address(usdt), 1);
        for (uint256 i = 0; i < 3; ++i) {
            _claim(proofs[i]);
            vm.assertEq(usdt.balanceOf(members[i]), 0, "parts of one unit");
        }
        _fund(address(usdt), 600);
        _toSharingAgain();
        for (uint256 i = 0; i < 3; ++i) {
            _claim(proofs[i]);
            vm.assertEq(usdt.balanceOf(members[i]), 100 * (i + 1), "the whole leaf");
        }
        vm.assertEq(usdt.balanceOf(address(gateway)), 1, "what is owed to nobody");
    }

    function testFuzz_SharesAreFair(uint64[3] memory owed, uint64[3] memory paid, uint64 held, uint8 who) public {
        _raise(address(usdt), type(uint104).max);
        uint128[3][4] memory leaves;
        for (uint256 i = 0; i < 3; ++i) {
            leaves[i][0] = owed[i];
        }
        Proof[4] memory proofs = _attest(leaves);
        for (uint256 i = 0; i < 3; ++i) {
            _fund(address(usdt), paid[i]);
            if (paid[i] != 0) _pay(address(usdt), members[i], paid[i]);
        }
        _fund(address(usdt), held);
        _exit();
        uint256 owedToAll = uint256(owed[0]) + owed[1] + owed[2];
        uint256 lacking = 0;
        for (uint256 j = 0; j < 3; ++j) {
            uint256 i = (who + j) % 3;
            uint256 part = held < owedToAll ? owed[i] * uint256(held) / owedToAll : owed[i];
            uint256 expected = part > paid[i] ? part - paid[i] : 0;
            if (owed[i] > paid[i] && held != 0 && who >> i & 1 == 1) {
                lacking += owed[i] - paid[i] - expected;
                _claim(proofs[i]);
                vm.assertEq(usdt.balanceOf(members[i]) - paid[i], expected, "its share, whoever came first");
            }
        }
        _toSharingAgain();
        uint256 left = _leftOver(owed, paid, held, who);
        for (uint256 i = 0; i < 3; ++i) {
            uint256 has = usdt.balanceOf(members[i]);
            bool isDue = held != 0 && held < owedToAll && who >> i & 1 == 1 && owed[i] > has;
            uint256 expected = !isDue ? 0 : left < lacking ? (owed[i] - has) * left / lacking : owed[i] - has;
            if (expected != 0) _claim(proofs[i]);
            vm.assertEq(usdt.balanceOf(members[i]) - has, expected, "its part of the rest");
        }
    }

    /// @dev Computes what is held, without what those who have not claimed are surely due: their parts, less what may have been paid to
    /// them.
    function _leftOver(uint64[3] memory owed, uint64[3] memory paid, uint256 held, uint8 who)
        private
        view
        returns (uint256)
    {
        uint256 has = usdt.balanceOf(address(gateway));
        uint256 all = uint256(owed[0]) + owed[1] + owed[2];
        uint256 gone = 0;
        uint256 still = held;
        for (uint256 i = 0; i < 3; ++i) {
            if (owed[i] > paid[i] && who >> i & 1 == 1) still -= all == 0 ? 0 : owed[i] * held / all;
            else gone += paid[i];
        }
        uint256 kept = still > gone ? still - gone : 0;
        return has > kept ? has - kept : 0;
    }
}
