// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAttestedGateway} from "../src/IAttestedGateway.sol";
import {IPaymentGateway} from "../src/IPaymentGateway.sol";
import {SumTree} from "../src/SumTree.sol";
import {StablecoinToken} from "../src/dev/StablecoinToken.sol";
import {ProofTest} from "./base/ProofTest.sol";
import {bound, vm} from "./base/Vm.sol";
import {RefusingRecipient} from "./mocks/Recipients.sol";
import {FalseReturnToken, MuteToken, ReentrantToken} from "./mocks/WeirdTokens.sol";

contract ExitTest is ProofTest {
    event ExitEntered(uint256[3] held, uint256 claimsOpenAt);
    event PaidCounted(address indexed member, uint128[3] paid);
    event Claimed(address indexed member, address asset, uint256 amount);

    /// @dev How an attempt to begin exit mode went, which is undone with it.
    error Tried(bool done, bytes4 reason, uint256 held);

    function test_RevertWhen_NeverAttested() public {
        vm.warp(block.timestamp + 365 days);
        vm.expectRevert(IAttestedGateway.NeverAttested.selector);
        gateway.enterExit();
    }

    function test_RevertWhen_TooEarly() public {
        _attest(_plain());
        uint256 from = block.timestamp + DELAY + 1;
        vm.warp(from - 1);
        vm.expectRevert(abi.encodeWithSelector(IAttestedGateway.TooEarly.selector, from));
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
        emit ExitEntered([uint256(600), 600, 600], block.timestamp);
        vm.prank(caller);
        gateway.enterExit();
        vm.assertEq(gateway.claimsOpenAt(), block.timestamp, "open");
        for (uint256 i = 0; i < 3; ++i) {
            vm.assertEq(gateway.heldAtExit()[i], 600, "held");
        }
    }

    function test_ClaimsWaitWhenLessIsHeld() public {
        for (uint256 i = 0; i < 3; ++i) {
            // Only one of the three assets falls short.
            setUp();
            _fundAll(600);
            _pay(_assets()[i], friend, 1);
            _nextBlock();
            _attest(_plain());
            _exit();
            vm.assertEq(gateway.claimsOpenAt(), block.timestamp + 7 days, "later");
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

    function test_ForcedMoneyChangesNoShare() public {
        _fundAll(300);
        Proof[4] memory proofs = _attest(_plain());
        _exit();
        _fundAll(300);
        vm.warp(block.timestamp + 7 days);
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
            // What a call may use at most: a token that burned all but a 64th of it would leave too little.
            gateway.enterExit{gas: 1_000_000}();
            vm.assertEq(gateway.heldAtExit()[1], 0, "counts as nothing");
            vm.assertEq(gateway.heldAtExit()[0], 600, "the others are counted");
            vm.assertEq(gateway.claimsOpenAt(), block.timestamp + 7 days, "so claims open later");
            vm.warp(gateway.claimsOpenAt());
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
        revert Tried(done, bytes4(reason), gateway.heldAtExit()[1]);
    }

    function _read(bytes memory tried) private pure returns (bool done, bytes4 reason, uint256 held) {
        vm.assertEq(bytes32(bytes4(tried)), bytes32(Tried.selector), "it was tried");
        assembly ("memory-safe") {
            done := mload(add(tried, 0x24))
            reason := mload(add(tried, 0x44))
            held := mload(add(tried, 0x64))
        }
    }

    function test_Count_RevertWhen_NotInExit() public {
        Proof[4] memory proofs = _attest(_plain());
        vm.expectRevert(IAttestedGateway.NotInExit.selector);
        _count(proofs[0]);
    }

    function test_Count_RevertWhen_ClaimsAreOpen() public {
        Proof[4] memory proofs = _paidSince(500, 10);
        vm.warp(gateway.claimsOpenAt());
        vm.expectRevert(IAttestedGateway.ClaimsAreOpen.selector);
        _count(proofs[0]);
    }

    function test_Count_RevertWhen_NotInTree() public {
        Proof[4] memory proofs = _paidSince(500, 10);
        proofs[0].leaf.owed[0] += 1;
        vm.expectRevert(IAttestedGateway.NotInTree.selector);
        _count(proofs[0]);
    }

    function test_Count_RevertWhen_NothingToCount() public {
        Proof[4] memory proofs = _paidSince(500, 10);
        _count(proofs[0]);
        vm.expectRevert(abi.encodeWithSelector(IAttestedGateway.NothingToCount.selector, members[0]));
        _count(proofs[0]);
        vm.expectRevert(abi.encodeWithSelector(IAttestedGateway.NothingToCount.selector, members[1]));
        _count(proofs[1]);
        vm.assertEq(gateway.countedPaid()[0], 10, "counted once");
    }

    function test_Count_UpToTheLeaf() public {
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

    function test_Count_MakesOthersWhole() public {
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

    function test_Claim_RevertWhen_NotInExit() public {
        Proof[4] memory proofs = _attest(_plain());
        vm.expectRevert(IAttestedGateway.NotInExit.selector);
        _claim(proofs[0]);
        vm.assertEq(gateway.claimable(members[0], proofs[0].leaf.owed)[0], 0, "nothing yet");
    }

    function test_Claim_RevertWhen_TooEarly() public {
        Proof[4] memory proofs = _paidSince(500, 10);
        uint256 from = gateway.claimsOpenAt();
        vm.warp(from - 1);
        vm.expectRevert(abi.encodeWithSelector(IAttestedGateway.TooEarly.selector, from));
        _claim(proofs[0]);
        vm.warp(from);
        _claim(proofs[0]);
    }

    function testFuzz_Claim_RevertWhen_Tampered(uint8 who, uint8 what, uint8 which, uint256 by) public {
        Proof memory proof = _opened()[who % 3];
        (what, which) = (what % 7, which % 3);
        if (what == 0) {
            proof.leaf.member = address(uint160(proof.leaf.member) ^ uint160(bound(by, 1, type(uint160).max)));
        }
        if (what == 1) proof.leaf.owed[which] ^= uint128(bound(by, 1, type(uint128).max));
        if (what == 2) proof.salt ^= bytes32(bound(by, 1, type(uint256).max));
        if (what == 3) proof.leaf.position ^= bound(by, 1, type(uint256).max);
        if (what == 4) proof.path[which % 2].hash ^= bytes32(bound(by, 1, type(uint256).max));
        if (what == 5) proof.path[which % 2].sums[which] ^= uint128(bound(by, 1, type(uint128).max));
        if (what == 6) {
            // The leaf gets what its sibling loses, so that all sums above stay.
            uint128 amount = uint128(bound(by, 1, 50));
            proof.leaf.owed[which] -= amount;
            proof.path[0].sums[which] += amount;
        }
        (bool done, bytes memory reason) =
            address(gateway).call(abi.encodeCall(gateway.claim, (proof.leaf, proof.salt, proof.path)));
        vm.assertTrue(!done, "refused");
        bool isKnown = bytes4(reason) == IAttestedGateway.NotInTree.selector || bytes4(reason) == bytes4(0x4e487b71);
        vm.assertTrue(isKnown, "not in the tree, or a panic for a sum that does not fit");
    }

    function test_Claim_RevertWhen_PathHasAnotherLength() public {
        Proof memory proof = _opened()[0];
        SumTree.Node[][3] memory others = [new SumTree.Node[](0), new SumTree.Node[](1), new SumTree.Node[](3)];
        others[1][0] = proof.path[0];
        (others[2][0], others[2][1]) = (proof.path[0], proof.path[1]);
        for (uint256 i = 0; i < 3; ++i) {
            proof.path = others[i];
            vm.expectRevert(IAttestedGateway.NotInTree.selector);
            _claim(proof);
        }
    }

    function test_Claim_RevertWhen_SumsDiffer() public {
        _fundAll(600);
        for (uint256 i = 0; i < 3; ++i) {
            setUp();
            (Proof[4] memory proofs, SumTree.Node memory root) = _tree(_plain(), _today());
            root.sums[i] += 1;
            vm.prank(payer);
            gateway.attest(_today(), root.hash, root.sums, 4, 999, 7);
            _exit();
            vm.warp(gateway.claimsOpenAt());
            vm.expectRevert(IAttestedGateway.NotInTree.selector);
            _claim(proofs[0]);
        }
    }

    function test_Claim_RevertWhen_ProofIsOld() public {
        _fundAll(600);
        Proof[4] memory old = _attest(_plain());
        vm.warp(block.timestamp + 1 days);
        _nextBlock();
        _attest(_plain());
        _exit();
        vm.expectRevert(IAttestedGateway.NotInTree.selector);
        _claim(old[0]);
    }

    function test_Claim_RevertWhen_NothingIsDue() public {
        Proof[4] memory proofs = _opened();
        vm.expectRevert(abi.encodeWithSelector(IAttestedGateway.NothingToClaim.selector, members[3]));
        _claim(proofs[3]);
    }

    function test_Claim_RevertWhen_Claimed() public {
        Proof[4] memory proofs = _opened();
        _claim(proofs[0]);
        for (uint256 i = 0; i < 3; ++i) {
            vm.assertTrue(gateway.isClaimed(members[0])[i], "marked");
            vm.assertTrue(!gateway.isClaimed(members[1])[i], "nobody else is");
        }
        vm.expectRevert(abi.encodeWithSelector(IAttestedGateway.NothingToClaim.selector, members[0]));
        _claim(proofs[0]);
        vm.assertEq(usdt.balanceOf(members[0]), 100, "once");
    }

    function test_Claim_WhatIsRefusedStays() public {
        members[0] = address(new RefusingRecipient());
        Proof[4] memory proofs = _opened();
        _claim(proofs[0]);
        vm.assertEq(usdt.balanceOf(members[0]), 100, "USDT was sent");
        vm.assertEq(hash.balanceOf(members[0]), 100, "and the subcoin");
        vm.assertTrue(!gateway.isClaimed(members[0])[2], "the native currency was refused");
        vm.assertEq(gateway.claimable(members[0], proofs[0].leaf.owed)[2], 100, "and stays");
        vm.assertEq(gateway.claimable(members[0], proofs[0].leaf.owed)[0], 0, "what was sent does not");
    }

    function test_Claim_RevertWhen_AllIsRefused() public {
        members[0] = address(new RefusingRecipient());
        Proof[4] memory proofs = _opened();
        _claim(proofs[0]);
        vm.expectRevert(abi.encodeWithSelector(IAttestedGateway.NothingToClaim.selector, members[0]));
        _claim(proofs[0]);
        // A token that returns false keeps nothing else back.
        setUp();
        FalseReturnToken liar = new FalseReturnToken(address(gateway));
        vm.prank(owner);
        gateway.setSubcoin(address(liar));
        proofs = _opened();
        _claim(proofs[1]);
        vm.assertEq(usdt.balanceOf(members[1]), 200, "USDT was sent");
        vm.assertTrue(!gateway.isClaimed(members[1])[1], "the subcoin was not");
    }

    function test_Claim_WhatIsToldLaterIsShared() public {
        (Proof[4] memory proofs, MuteToken mute) = _withMuteSubcoin();
        mute.set(MuteToken.Mood.Reverting);
        _exit();
        vm.warp(gateway.claimsOpenAt());
        _claim(proofs[0]);
        vm.assertTrue(!gateway.isClaimed(members[0])[1], "not yet");
        mute.set(MuteToken.Mood.Honest);
        // Half of it is gone: both get half, and what comes later changes no share.
        vm.prank(address(gateway));
        require(mute.transfer(friend, 300));
        vm.assertEq(gateway.claimable(members[1], proofs[1].leaf.owed)[1], 100, "claimable before the first claim");
        _claim(proofs[0]);
        vm.assertEq(mute.balanceOf(members[0]), 50, "the first");
        vm.assertEq(gateway.heldAtExit()[1], 300, "is fixed by it");
        vm.prank(friend);
        require(mute.transfer(address(gateway), 300));
        _claim(proofs[1]);
        vm.assertEq(mute.balanceOf(members[1]), 100, "the second");
    }

    function test_Claim_ReentrantTokenGetsNothing() public {
        ReentrantToken reentrant = new ReentrantToken(address(gateway));
        vm.prank(owner);
        gateway.setSubcoin(address(reentrant));
        Proof[4] memory proofs = _opened();
        Proof memory proof = proofs[0];
        bytes memory again = abi.encodeCall(gateway.claim, (proof.leaf, proof.salt, proof.path));
        reentrant.arm(address(gateway), again, 0);
        _claim(proof);
        vm.assertEq(members[0].balance, 100, "the native currency was sent once");
        vm.assertEq(reentrant.balanceOf(members[0]), 0, "the token not at all");
    }

    function test_Claim_PaidSinceIsDeducted() public {
        _fundAll(700);
        uint256 attested = block.number;
        _nextBlock();
        // In the block after the attested one, before the attestation; and after it.
        _pay(address(usdt), members[0], 30);
        _nextBlock();
        (Proof[4] memory proofs, SumTree.Node memory root) = _tree(_plain(), _today());
        vm.prank(payer);
        gateway.attest(_today(), root.hash, root.sums, 4, attested, 7);
        _nextBlock();
        _pay(address(usdt), members[0], 5);
        vm.assertEq(gateway.paidSince(address(usdt), members[0]), 35, "both");
        vm.assertEq(gateway.paidSince(address(hash), members[0]), 0, "in one asset");
        _exit();
        _claim(proofs[0]);
        vm.assertEq(usdt.balanceOf(members[0]), 100, "all in all its leaf");
        vm.assertEq(hash.balanceOf(members[0]), 100, "another asset in full");
        _claim(proofs[1]);
        vm.assertEq(usdt.balanceOf(members[1]), 200, "another member in full");
    }

    function test_Claim_PaidBeforeIsNotDeducted() public {
        _fundAll(700);
        _pay(address(usdt), members[0], 30);
        _nextBlock();
        _pay(address(usdt), members[0], 7);
        _nextBlock();
        // Attested as of the block of the second payment.
        Proof[4] memory proofs = _attest(_plain());
        vm.assertEq(gateway.paidSince(address(usdt), members[0]), 0, "none since");
        _exit();
        _claim(proofs[0]);
        vm.assertEq(usdt.balanceOf(members[0]), 137, "the whole leaf on top");
    }

    function test_Claim_PaidMoreThanOwed() public {
        _fundAll(1_000);
        Proof[4] memory proofs = _attest(_plain());
        _pay(address(usdt), members[0], 150);
        _exit();
        _claim(proofs[0]);
        vm.assertEq(usdt.balanceOf(members[0]), 150, "nothing on top");
        vm.assertEq(hash.balanceOf(members[0]), 100, "the other assets");
    }

    function test_Claim_TheAttestedSubcoinIsPaid() public {
        _fundAll(600);
        Proof[4] memory proofs = _attest(_plain());
        StablecoinToken next = new StablecoinToken("Next", "NXT", SUPPLY, address(gateway));
        vm.prank(owner);
        gateway.setSubcoin(address(next));
        _exit();
        _claim(proofs[0]);
        vm.assertEq(hash.balanceOf(members[0]), 100, "the attested one");
        vm.assertEq(next.balanceOf(members[0]), 0, "not the new one");
    }

    function testFuzz_Claim_TheMemberIsPaid(address caller) public {
        Proof[4] memory proofs = _opened();
        for (uint256 i = 0; i < 3; ++i) {
            for (uint256 j = 0; j < 3; ++j) {
                vm.expectEmit(true, true, true, true, address(gateway));
                emit Claimed(members[i], _assets()[j], 100 * (i + 1));
            }
            vm.prank(caller);
            _claim(proofs[i]);
            for (uint256 j = 0; j < 3; ++j) {
                vm.assertEq(_balance(_assets()[j], members[i]), 100 * (i + 1), "the whole leaf");
            }
        }
    }

    function testFuzz_Claim_SharesAreFair(uint64[3] memory owed, uint64[3] memory paid, uint64 held, uint8 counted)
        public
    {
        vm.prank(owner);
        gateway.setDailyCap(address(usdt), type(uint256).max);
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
        for (uint256 i = 0; i < 3; ++i) {
            bool isDue = block.timestamp < gateway.claimsOpenAt() && paid[i] != 0 && owed[i] != 0;
            if (isDue && counted >> i & 1 == 1) _count(proofs[i]);
        }
        vm.warp(gateway.claimsOpenAt());
        uint256 counts = gateway.countedPaid()[0];
        uint256 dueToAll = uint256(owed[0]) + owed[1] + owed[2] - counts;
        uint256 first = counted >> 4;
        for (uint256 j = 0; j < 3; ++j) {
            uint256 i = (first + j) % 3;
            uint256 due = owed[i] > paid[i] ? owed[i] - paid[i] : 0;
            uint256 expected = held >= dueToAll ? due : due * held / dueToAll;
            if (expected != 0) _claim(proofs[i]);
            vm.assertEq(usdt.balanceOf(members[i]) - paid[i], expected, "its share, whoever came first");
        }
    }

    /// @dev In exit mode, with so much held of each asset, and so much USDT paid to the first member since.
    function _paidSince(uint256 held, uint256 paid) private returns (Proof[4] memory proofs) {
        _fundAll(held + paid);
        proofs = _attest(_plain());
        _pay(address(usdt), members[0], paid);
        _exit();
    }

    /// @dev A subcoin that can fail to tell balances is attested, and 600 of each asset are held.
    function _withMuteSubcoin() private returns (Proof[4] memory proofs, MuteToken mute) {
        mute = new MuteToken(address(this));
        vm.prank(owner);
        gateway.setSubcoin(address(mute));
        _fundAll(600);
        require(mute.transfer(address(gateway), 600));
        proofs = _attest(_plain());
    }

    /// @dev In exit mode with exactly what is owed.
    function _opened() private returns (Proof[4] memory proofs) {
        _fundAll(600);
        proofs = _attest(_plain());
        _exit();
    }
}
