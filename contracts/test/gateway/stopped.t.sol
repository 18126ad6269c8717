// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ExitTest} from "../base/ExitTest.sol";
import {vm} from "../base/Vm.sol";
import {NoReturnToken, StoppedToken} from "../mocks/WeirdTokens.sol";

/// @notice Claims of a token that cannot be sent for a while: its issuer stops it, or bars the gateway from it.
contract StoppedTest is ExitTest {
    uint256 private constant YEAR = 365 days;

    StoppedToken private token;

    /// A year in which nobody could be sent anything would otherwise leave everything in the contract for good.
    function test_WhatWasStoppedForYearsIsClaimed() public {
        Proof[4] memory proofs = _exitWith(300, 0);
        token.set(StoppedToken.Mood.Stopped);
        _claim(proofs[0]);
        vm.warp(block.timestamp + 2 * YEAR);
        _claim(proofs[1]);
        vm.assertTrue(!gateway.isClaimed(members[1])[1], "not yet");
        vm.assertEq(gateway.claimable(members[1], proofs[1].leaf.owed)[1], 100, "and still claimable");
        token.set(StoppedToken.Mood.Honest);
        _claim(proofs[0]);
        uint256 again = block.timestamp + YEAR;
        vm.assertEq(gateway.sharedAtExit()[1].sharedAgainAt, again, "the year begins with the first claim");
        vm.warp(again - 1);
        _claim(proofs[2]);
        vm.assertEq(gateway.sharedAtExit()[1].sharedAgainAt, again, "and with no later one");
        vm.warp(again);
        vm.assertEq(gateway.claimable(members[0], proofs[0].leaf.owed)[1], 0, "nothing is left over");
        _claim(proofs[1]);
        vm.assertEq(token.balanceOf(members[0]), 50, "half");
        vm.assertEq(token.balanceOf(members[1]), 100, "who comes after it as well");
        vm.assertEq(token.balanceOf(members[2]), 150, "all");
    }

    /// A member who was paid its first share before the exit claims nothing at first, and would otherwise begin the year alone.
    function test_AClaimOfNothingWaitsToo() public {
        Proof[4] memory proofs = _exitWith(300, 60);
        token.set(StoppedToken.Mood.Stopped);
        _claim(proofs[0]);
        vm.assertTrue(!gateway.isClaimed(members[0])[1], "not yet");
        vm.warp(block.timestamp + 2 * YEAR);
        token.set(StoppedToken.Mood.Honest);
        _claim(proofs[0]);
        vm.assertTrue(gateway.isClaimed(members[0])[1], "now");
        vm.assertEq(gateway.sharedAtExit()[1].sharedAgainAt, block.timestamp + YEAR, "its year begins");
        _claim(proofs[1]);
        vm.assertEq(token.balanceOf(members[1]), 100, "who has claimed nothing is not too late");
    }

    /// No sender would give a transaction so much gas that a 64th of it is enough for the others.
    function test_BurningGasKeepsNothingElseBack() public {
        Proof[4] memory proofs = _exitWith(600, 0);
        token.set(StoppedToken.Mood.Burning);
        gateway.claim{gas: 2_000_000}(proofs[0].leaf, proofs[0].salt, proofs[0].path);
        vm.assertEq(usdt.balanceOf(members[0]), 100, "USDT was sent");
        vm.assertEq(members[0].balance, 100, "and the native currency");
        vm.assertTrue(!gateway.isClaimed(members[0])[1], "the token stays");
        token.set(StoppedToken.Mood.Honest);
        _claim(proofs[0]);
        vm.assertEq(token.balanceOf(members[0]), 100, "and is sent later");
    }

    function test_ATokenThatReturnsNothingIsClaimed() public {
        NoReturnToken old = new NoReturnToken(address(gateway));
        Proof[4] memory proofs = _exitAfter(address(old), 0);
        _claim(proofs[0]);
        vm.assertEq(old.balanceOf(members[0]), 100, "sent");
    }

    /// Where no code is, a call succeeds and returns nothing.
    function test_ATokenThatWasRemovedIsNotClaimed() public {
        Proof[4] memory proofs = _exitWith(600, 0);
        vm.etch(address(token), "");
        _claim(proofs[0]);
        vm.assertTrue(!gateway.isClaimed(members[0])[1], "it was not sent");
        vm.assertEq(usdt.balanceOf(members[0]), 100, "the others were");
    }

    /// @dev In exit mode, with so much of the token held, and so much of it paid to the first member since.
    function _exitWith(uint256 held, uint256 paid) private returns (Proof[4] memory) {
        token = new StoppedToken(address(this));
        if (paid != 0) _raise(address(token), paid);
        require(token.transfer(address(gateway), held + paid));
        return _exitAfter(address(token), paid);
    }

    function _exitAfter(address subcoin, uint256 paid) private returns (Proof[4] memory proofs) {
        vm.prank(owner);
        gateway.setSubcoin(subcoin);
        _fundAll(600);
        proofs = _attest(_plain());
        if (paid != 0) _pay(subcoin, members[0], paid);
        _exit();
    }
}
