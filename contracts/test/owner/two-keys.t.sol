// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAttestedGateway} from "../../src/IAttestedGateway.sol";
import {IGatewayControl} from "../../src/IGatewayControl.sol";
import {IPaymentGateway} from "../../src/IPaymentGateway.sol";
import {SumTree} from "../../src/SumTree.sol";
import {ProofTest} from "../base/ProofTest.sol";
import {bound, vm} from "../base/Vm.sol";

/// @notice A thief of two keys at once: each takes what its own bound says, and no more.
contract TwoKeysTest is ProofTest {
    IGatewayControl.Role private constant PAYER = IGatewayControl.Role.Payer;
    IGatewayControl.Role private constant ATTESTER = IGatewayControl.Role.Attester;
    uint256 private constant DAY = 1 days;

    /// @dev The holder of the owner's key undoes a pause, so the operator removes the payer, which nobody can undo for 7 days.
    function testFuzz_PayerAndOwner(uint256 time) public {
        time = bound(time, 0, DAY);
        _fundAll(100_000 ether);
        _steal(_left());
        vm.prank(guardian);
        gateway.pause();
        vm.prank(owner);
        gateway.unpause();
        vm.warp(block.timestamp + time);
        _steal(gateway.leftOfCap(address(usdt)));
        vm.startPrank(owner);
        gateway.removePayer();
        gateway.nameStandby(PAYER, stranger);
        gateway.announceRaise(address(usdt), 1e30);
        vm.expectRevert(abi.encodeWithSelector(IGatewayControl.TooEarly.selector, block.timestamp + 7 days));
        gateway.switchToStandby(PAYER);
        vm.expectRevert(abi.encodeWithSelector(IGatewayControl.TooEarly.selector, block.timestamp + 7 days));
        gateway.raiseCap(address(usdt));
        vm.stopPrank();
        vm.expectRevert(abi.encodeWithSelector(IGatewayControl.NotPayer.selector, payer));
        vm.prank(payer);
        gateway.pay("more", address(usdt), stranger, 1);
        vm.assertLe(usdt.balanceOf(stranger), CAP + CAP * time / DAY, "the cap and its part of the time");
    }

    /// @dev Neither helps the other: what is paid is within the cap, and a false tree is followed by an honest one the next day.
    function test_PayerAndAttester() public {
        _fundAll(3_000 ether);
        members[3] = stranger;
        _attest(_thiefsLeaves());
        _steal(_left());
        vm.startPrank(owner);
        gateway.switchToStandby(PAYER);
        gateway.switchToStandby(ATTESTER);
        vm.stopPrank();
        vm.warp(block.timestamp + DAY);
        _nextBlock();
        attester = standbyAttester;
        uint128[3][4] memory owed;
        (owed[0], owed[1]) = ([uint128(1_000 ether), 0, 0], [uint128(1_000 ether), 0, 0]);
        Proof[4] memory proofs = _attest(owed);
        _exit();
        (Proof[4] memory falseProofs,) = _tree(_thiefsLeaves(), gateway.lastAttestation().day);
        vm.expectRevert(IAttestedGateway.NotInTree.selector);
        _claim(falseProofs[3]);
        for (uint256 i = 0; i < 2; ++i) {
            _claim(proofs[i]);
            vm.assertEq(usdt.balanceOf(members[i]), 1_000 ether, "the whole leaf");
        }
        vm.assertEq(usdt.balanceOf(stranger), CAP, "the cap");
    }

    /// @dev The guardian's pause can be undone at once, and lets the payer pay no more.
    function test_PayerAndGuardian() public {
        _fundAll(100_000 ether);
        _steal(_left());
        vm.prank(guardian);
        gateway.pause();
        vm.startPrank(owner);
        gateway.setGuardian(friend);
        gateway.switchToStandby(PAYER);
        gateway.unpause();
        vm.stopPrank();
        vm.expectRevert(abi.encodeWithSelector(IGatewayControl.NotOwnerOrGuardian.selector, guardian));
        vm.prank(guardian);
        gateway.pause();
        vm.warp(block.timestamp + DAY);
        vm.prank(standbyPayer);
        gateway.pay("a member", address(usdt), members[0], 1 ether);
        vm.assertEq(usdt.balanceOf(stranger), CAP, "the cap");
    }

    /// @dev With both, a thief keeps the standby away, and can take what it announces after a false tree: the operator has to take each
    /// announcement back, and to attest each day after the thief.
    function test_OwnerAndAttester() public {
        _fundAll(600);
        vm.startPrank(owner);
        gateway.nameStandby(ATTESTER, address(0));
        gateway.announceTaking(address(usdt), stranger, 600);
        vm.stopPrank();
        for (uint256 day = 1; day <= 8; ++day) {
            vm.warp(block.timestamp + DAY);
            _nextBlock();
            if (day % 2 == 0) _attest(_plain());
            else _attestRoot(SumTree.Node(keccak256("nothing"), [uint128(0), 0, 0]), 1);
            if (day != 6) continue;
            // The operator takes it back, and the thief announces it again: its notice begins again.
            vm.startPrank(owner);
            gateway.announceTaking(address(usdt), owner, 0);
            gateway.announceTaking(address(usdt), stranger, 600);
            vm.stopPrank();
        }
        uint256 from = gateway.announcedTaking(address(usdt)).announcedAt + 7 days;
        vm.expectRevert(abi.encodeWithSelector(IGatewayControl.TooEarly.selector, from));
        vm.prank(owner);
        gateway.take(address(usdt));
        vm.assertEq(gateway.lastAttestation().sums[0], 600, "the honest tree is the last one");
        // Whom nobody answers takes all.
        vm.warp(from);
        _attestRoot(SumTree.Node(keccak256("nothing"), [uint128(0), 0, 0]), 1);
        vm.prank(owner);
        gateway.take(address(usdt));
        vm.assertEq(usdt.balanceOf(stranger), 600, "after 7 days without an answer");
    }

    function _left() private view returns (uint256) {
        return gateway.leftOfCap(address(usdt));
    }

    function _steal(uint256 amount) private {
        IPaymentGateway.Payment[] memory payments = new IPaymentGateway.Payment[](1);
        bytes32 id = keccak256(abi.encode(block.timestamp, amount, usdt.balanceOf(stranger)));
        payments[0] = IPaymentGateway.Payment(id, address(usdt), stranger, amount);
        if (amount == 0) return;
        vm.prank(payer);
        gateway.payBatch(payments);
    }

    function _thiefsLeaves() private pure returns (uint128[3][4] memory leaves) {
        leaves[3] = [uint128(1e30), 1e30, 1e30];
    }
}
