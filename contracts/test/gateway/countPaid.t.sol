// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAttestedGateway} from "../../src/IAttestedGateway.sol";
import {ExitTest} from "../base/ExitTest.sol";
import {vm} from "../base/Vm.sol";

contract CountPaidTest is ExitTest {
    event PaidCounted(address indexed member, uint128[3] paid);

    function test_RevertWhen_NotInExit() public {
        Proof[4] memory proofs = _attest(_plain());
        vm.expectRevert(IAttestedGateway.NotInExit.selector);
        _count(proofs[0]);
    }

    function test_RevertWhen_ClaimsAreOpen() public {
        Proof[4] memory proofs = _paidSince(500, 10);
        vm.warp(gateway.claimsOpenAt());
        vm.expectRevert(IAttestedGateway.ClaimsAreOpen.selector);
        _count(proofs[0]);
    }

    function test_RevertWhen_NotInTree() public {
        Proof[4] memory proofs = _paidSince(500, 10);
        proofs[0].leaf.owed[0] += 1;
        vm.expectRevert(IAttestedGateway.NotInTree.selector);
        _count(proofs[0]);
    }

    function test_RevertWhen_NothingToCount() public {
        Proof[4] memory proofs = _paidSince(500, 10);
        _count(proofs[0]);
        vm.expectRevert(abi.encodeWithSelector(IAttestedGateway.NothingToCount.selector, members[0]));
        _count(proofs[0]);
        vm.expectRevert(abi.encodeWithSelector(IAttestedGateway.NothingToCount.selector, members[1]));
        _count(proofs[1]);
        vm.assertEq(gateway.countedPaid()[0], 10, "counted once");
    }

    function test_UpToTheLeaf() public {
        for (uint256 i = 0; i < 3; ++i) {
            setUp();
            _fundAll(400);
            Proof[4] memory proofs = _attest(_plain());
            _pay(_assets()[i], members[0], 30);
            _pay(_assets()[(i + 1) % 3], members[0], 130);
            _exit();
            uint128[3] memory paid;
            (paid[i], paid[(i + 1) % 3]) = (30, 100);
            vm.expectEmit(true, true, true, true, address(gateway));
            emit PaidCounted(members[0], paid);
            _count(proofs[0]);
            for (uint256 j = 0; j < 3; ++j) {
                vm.assertEq(gateway.countedPaid()[j], paid[j], "counted");
            }
        }
    }

    function test_OneAssetAlone() public {
        for (uint256 i = 0; i < 3; ++i) {
            setUp();
            _fundAll(400);
            Proof[4] memory proofs = _attest(_plain());
            _pay(_assets()[i], members[0], 30);
            _exit();
            _count(proofs[0]);
            vm.assertEq(gateway.countedPaid()[i], 30, "counted");
        }
    }

    function test_MakesOthersWhole() public {
        // All 600 were held; the first two members withdrew all and half, so 400 are left for the 400 that are due.
        _fundAll(600);
        Proof[4] memory proofs = _attest(_plain());
        _pay(address(usdt), members[0], 100);
        _pay(address(usdt), members[1], 100);
        _exit();
        _count(proofs[0]);
        _count(proofs[1]);
        vm.warp(gateway.claimsOpenAt());
        _claim(proofs[0]);
        _claim(proofs[1]);
        _claim(proofs[2]);
        vm.assertEq(usdt.balanceOf(members[0]), 100, "had all");
        vm.assertEq(usdt.balanceOf(members[1]), 200, "the other half");
        vm.assertEq(usdt.balanceOf(members[2]), 300, "all");
        vm.assertEq(usdt.balanceOf(address(gateway)), 0, "nothing is left over");
    }
}
