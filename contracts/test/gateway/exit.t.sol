// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAttestedGateway} from "../../src/IAttestedGateway.sol";
import {IGatewayControl} from "../../src/IGatewayControl.sol";
import {IPaymentGateway} from "../../src/IPaymentGateway.sol";
import {ExitTest} from "../base/ExitTest.sol";
import {vm} from "../base/Vm.sol";
import {MuteToken, ReentrantToken} from "../mocks/WeirdTokens.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";

contract EnterExitTest is ExitTest {
    event ExitEntered(uint256[3] held, uint256 sharedAgainAt);

    /// @dev How an attempt to begin exit mode went, which is undone with it.
    error Tried(bool done, bytes4 reason, uint256 held);

    function test_RevertWhen_NeverAttested() public {
        gateway = _newGateway(CAP);
        vm.warp(block.timestamp + 365 days);
        vm.expectRevert(IAttestedGateway.NeverAttested.selector);
        gateway.enterExit();
    }

    function test_RevertWhen_TooEarly() public {
        _attest(_plain());
        uint256 from = block.timestamp + DELAY + 1;
        vm.warp(from - 1);
        vm.expectRevert(abi.encodeWithSelector(IGatewayControl.TooEarly.selector, from));
        gateway.enterExit();
        vm.assertEq(gateway.exitedAt(), 0, "not yet");
        vm.warp(from);
        gateway.enterExit();
        vm.assertEq(gateway.exitedAt(), from, "now");
    }

    function test_RevertWhen_ExitedAlready() public {
        _attest(_plain());
        _exit();
        vm.expectRevert(IAttestedGateway.InExit.selector);
        gateway.enterExit();
    }

    function testFuzz_AnyoneBeginsIt(address caller) public {
        _fundAll(600);
        _attest(_plain());
        vm.warp(block.timestamp + DELAY + 1);
        vm.expectEmit(true, true, true, true, address(gateway));
        emit ExitEntered([uint256(600), 600, 600], block.timestamp + 365 days);
        vm.prank(caller);
        gateway.enterExit();
        for (uint256 i = 0; i < 3; ++i) {
            vm.assertEq(gateway.sharedAtExit()[i].held, 600, "held");
            vm.assertEq(gateway.sharedAtExit()[i].sharedAgainAt, 0, "the year begins with the first claim");
        }
    }

    function test_WhilePaused() public {
        _fundAll(600);
        Proof[4] memory proofs = _attest(_plain());
        vm.prank(owner);
        gateway.pause();
        _exit();
        _claim(proofs[0]);
        vm.assertEq(usdt.balanceOf(members[0]), 100, "paid");
    }

    function test_StopsAllButClaims() public {
        _fundAll(600);
        _attest(_plain());
        _exit();
        bytes memory refusal = abi.encodeWithSelector(IAttestedGateway.InExit.selector);
        vm.expectRevert(refusal);
        _pay(address(usdt), friend, 1);
        vm.expectRevert(refusal);
        vm.prank(payer);
        gateway.payBatch(new IPaymentGateway.Payment[](0));
        vm.expectRevert(refusal);
        vm.prank(customer);
        gateway.recharge("deposit", abi.encode(1, address(usdt), customer, ""));
        vm.prank(customer);
        (bool done, bytes memory reason) = address(gateway).call{value: 1}("");
        vm.assertTrue(!done, "no plain transfers");
        vm.assertEq(bytes32(bytes4(reason)), bytes32(IAttestedGateway.InExit.selector), "for that reason");
    }

    /// A token that calls its recipient lets anybody begin it in the middle of a payment, of which the rest would still go out.
    function test_RevertWhen_APaymentIsUnderWay() public {
        (ReentrantToken token, bytes4 refusal) = _overdueWith(address(gateway));
        IPaymentGateway.Payment[] memory payments = new IPaymentGateway.Payment[](2);
        payments[0] = IPaymentGateway.Payment(bytes32(uint256(1)), address(token), friend, 10);
        payments[1] = IPaymentGateway.Payment(bytes32(uint256(2)), address(usdt), friend, 10);
        vm.expectRevert(refusal);
        vm.prank(payer);
        gateway.payBatch(payments);
        // Money that comes in then would be in no leaf.
        (token, refusal) = _overdueWith(customer);
        vm.prank(owner);
        gateway.setSubcoin(address(token));
        vm.startPrank(customer);
        token.approve(address(gateway), 10);
        vm.expectRevert(refusal);
        gateway.recharge("deposit", abi.encode(10, address(token), customer, ""));
        vm.stopPrank();
        gateway.enterExit();
    }

    /// @dev Anybody can begin exit mode, and each transfer of this token tries to.
    function _overdueWith(address holder) private returns (ReentrantToken token, bytes4 refusal) {
        token = new ReentrantToken(holder);
        _fundAll(600);
        _raise(address(token), 100);
        _attest(_plain());
        vm.warp(block.timestamp + DELAY + 1);
        token.arm(address(gateway), abi.encodeCall(gateway.enterExit, ()), 0);
        refusal = ReentrancyGuard.ReentrancyGuardReentrantCall.selector;
    }

    function test_ForcedMoneyChangesNoShare() public {
        _fundAll(300);
        Proof[4] memory proofs = _attest(_plain());
        _exit();
        _fundAll(300);
        _claim(proofs[0]);
        vm.assertEq(usdt.balanceOf(members[0]), 50, "half, as at the exit");
    }

    function test_ATokenThatCannotTellKeepsNobodyIn() public {
        MuteToken.Mood[3] memory moods = [MuteToken.Mood.Reverting, MuteToken.Mood.Burning, MuteToken.Mood.Short];
        for (uint256 i = 0; i < 3; ++i) {
            setUp();
            (Proof[4] memory proofs, MuteToken mute) = _withMuteSubcoin();
            mute.set(moods[i]);
            vm.warp(block.timestamp + DELAY + 1);
            // A call may use this much gas at most: a token that burned all but a 64th of it would leave too little.
            gateway.enterExit{gas: 1_000_000}();
            vm.assertEq(gateway.sharedAtExit()[1].held, 0, "counts as nothing");
            vm.assertEq(gateway.sharedAtExit()[0].held, 600, "the others are counted");
            _claim(proofs[0]);
            vm.assertEq(usdt.balanceOf(members[0]), 100, "USDT is claimed in full");
            vm.assertEq(members[0].balance, 100, "and the native currency");
            vm.deal(members[0], 0);
        }
    }

    function test_TooLittleGasIsRefused() public {
        (, MuteToken mute) = _withMuteSubcoin();
        mute.set(MuteToken.Mood.Greedy);
        vm.warp(block.timestamp + DELAY + 1);
        bool isRefused = false;
        bool isDone = false;
        for (uint256 gas = 100_000; gas < 1_000_000; gas += 499) {
            try this.tryExit(gas) {}
            catch (bytes memory tried) {
                (bool done, bytes4 reason, uint256 held) = _read(tried);
                vm.assertTrue(!done || held == 600, "whoever begins it has all counted");
                if (reason == IAttestedGateway.TooLittleGas.selector) isRefused = true;
                if (done) isDone = true;
            }
        }
        vm.assertTrue(isRefused && isDone, "both happened");
    }

    /// @dev Always reverts with what happened.
    function tryExit(uint256 gas) external {
        (bool done, bytes memory reason) = address(gateway).call{gas: gas}(abi.encodeCall(gateway.enterExit, ()));
        revert Tried(done, bytes4(reason), gateway.sharedAtExit()[1].held);
    }

    function _read(bytes memory tried) private pure returns (bool done, bytes4 reason, uint256 held) {
        vm.assertEq(bytes32(bytes4(tried)), bytes32(Tried.selector), "it was tried");
        assembly ("memory-safe") {
            done := mload(add(tried, 0x24))
            reason := mload(add(tried, 0x44))
            held := mload(add(tried, 0x64))
        }
    }
}
