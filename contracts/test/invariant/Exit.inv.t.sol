// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ProofTest} from "../base/ProofTest.sol";
import {vm} from "../base/Vm.sol";
import {ExitHandler} from "./ExitHandler.sol";

/// @notice Invariants after any sequence of attestations, payments, takings, an exit and claims.
contract ExitInvariants is ProofTest {
    uint256 private constant ACTIONS = 8;

    ExitHandler private handler;
    uint256[ACTIONS] private reached;

    function setUp() public override {
        super.setUp();
        gateway = _newGateway(300);
        _open();
        handler = new ExitHandler(gateway, [address(usdt), address(hash)]);
        for (uint256 i = 0; i < 3; ++i) {
            handler.deposit(uint8(i), 400);
        }
    }

    function targetContracts() public view returns (address[] memory) {
        return _list(address(handler));
    }

    function invariant_BalanceIsWhatCameInLessWhatWentOut() public view {
        for (uint256 i = 0; i < 3; ++i) {
            address asset = _assets()[i];
            vm.assertEq(_balance(asset, address(gateway)), handler.balance(asset), "balance");
        }
    }

    function invariant_ClaimsAreWithinWhatWasHeld() public view {
        for (uint256 i = 0; i < 3; ++i) {
            (address asset, uint256 held) = (_assets()[i], gateway.sharedAtExit()[i].held);
            vm.assertLe(handler.claimedFirst(asset), held, "first claims");
            vm.assertLe(handler.claimedInAll(asset), held + handler.forcedAfterExit(asset), "all claims");
        }
    }

    function invariant_NobodyGetsMoreThanTheLeafLessWhatWasPaid() public view {
        vm.assertTrue(!handler.paidTwice(), "nobody claims twice");
        for (uint256 i = 0; i < 9; ++i) {
            (address asset, address member) = (_assets()[i / 3], handler.memberAt(i % 3));
            (uint256 owed, uint256 paid) = (handler.owedTo(i % 3, i / 3), handler.paidSince(asset, member));
            vm.assertEq(gateway.paidSince(asset, member), paid, "what was paid since");
            vm.assertLe(handler.claimed(asset, member), owed > paid ? owed - paid : 0, "claimed");
        }
    }

    function invariant_AfterTheExitNothingIsPaid() public view {
        for (uint256 i = 0; i < 3; ++i) {
            vm.assertEq(handler.paidAfterExit(_assets()[i]), 0, "paid after the exit");
        }
        vm.assertTrue(!handler.paidOverTheCap(), "caps hold");
    }

    function invariant_TheOwnerLeavesWhatIsOwed() public view {
        vm.assertTrue(!handler.tookTooMuch(), "what is owed stays");
    }

    /// @dev Invariants over actions that are all refused would prove nothing.
    function test_TheHandlerReachesEverything() public {
        for (uint256 round = 0; round < 12; ++round) {
            this.actMany(round);
        }
        for (uint256 i = 0; i < ACTIONS; ++i) {
            vm.assertLt(0, reached[i], "each action succeeds at times");
        }
    }

    /// @dev From outside, so that its memory is free again after it.
    function actMany(uint256 seed) external {
        setUp();
        for (uint256 i = 0; i < 100; ++i) {
            seed = uint256(keccak256(abi.encode(seed)));
            _act(seed);
        }
        _note();
    }

    function _note() private {
        bytes4[ACTIONS - 1] memory actions = [
            gateway.recharge.selector,
            gateway.pay.selector,
            gateway.attest.selector,
            gateway.announceTaking.selector,
            gateway.take.selector,
            gateway.enterExit.selector,
            gateway.claim.selector
        ];
        for (uint256 i = 0; i < ACTIONS - 1; ++i) {
            reached[i] += handler.successes(actions[i]);
        }
        reached[ACTIONS - 1] += handler.claimsAgain();
    }

    function _act(uint256 seed) private {
        uint8 small = uint8(seed >> 8);
        uint8 other = uint8(seed >> 16);
        uint256 amount = seed >> 32;
        uint256 action = seed % 10;
        if (action == 0) handler.deposit(small, amount);
        if (action == 1) handler.pay(small, other, amount);
        if (action == 2) {
            uint128[3][3] memory amounts;
            for (uint256 i = 0; i < 9; ++i) {
                amounts[i / 3][i % 3] = uint128(uint256(keccak256(abi.encode(seed, i))));
            }
            handler.attest(amounts);
        }
        if (action == 3) handler.announce(small, amount);
        if (action == 4) handler.take(small);
        if (action == 5) handler.enterExit(small);
        if (action == 6 && small % 4 == 0) handler.waitAYear();
        if (action == 7) handler.claim(small, other);
        if (action == 8) handler.wait(uint32(amount));
        if (action == 9) handler.waitLong(small);
    }
}
