// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ProofTest} from "../base/ProofTest.sol";
import {vm} from "../base/Vm.sol";
import {ThiefHandler} from "./ThiefHandler.sol";

/// @notice The bound of what the thief of one key can take while an honest operator acts on it within a day, as
/// docs/understand/security.md says.
contract ThiefInvariants is ProofTest {
    uint256 private constant CAP_OF_EACH = 300;
    /// @dev Roundings of two claims of each member.
    uint256 private constant DUST = 6;

    ThiefHandler private handler;
    uint256[5] private thefts;
    uint256 private gains;

    function setUp() public override {
        super.setUp();
        gateway = _newGateway(CAP_OF_EACH);
        _open();
        handler = new ThiefHandler(gateway, [address(usdt), address(hash)]);
        for (uint256 i = 0; i < 9; ++i) {
            handler.deposit(uint8(i), uint8(i / 3), 400);
        }
        handler.nextDay();
    }

    function targetContracts() public view returns (address[] memory) {
        return _list(address(handler));
    }

    /// @dev It settles at the end, which ends everything: no random call may come from here.
    function excludeSenders() public view returns (address[] memory) {
        return _list(address(this));
    }

    function invariant_NoKeyTakesMoreThanItsBound() public view {
        for (uint256 i = 0; i < 3; ++i) {
            vm.assertLe(handler.taken(_assets()[i]), _bound(), "taken");
        }
    }

    function invariant_TheHonestAttesterCanAlwaysAttest() public view {
        vm.assertTrue(!handler.couldNotAttest(), "attested each day");
        vm.assertLe(block.timestamp, handler.attestedAt() + 2 days, "within a day of replacing a key");
    }

    /// @dev At the end of each sequence.
    function afterInvariant() public {
        uint256 most = _bound();
        ThiefHandler.Settled[3] memory settled = handler.settle();
        for (uint256 i = 0; i < 3; ++i) {
            uint256 taken = handler.taken(_assets()[i]);
            vm.assertLe(taken, most, "also by the exit");
            vm.assertLe(settled[i].mostLacking, taken + DUST, "each member gets its leaf but for what was stolen");
            uint256 free = settled[i].held > settled[i].due ? settled[i].held - settled[i].due : 0;
            vm.assertLe(settled[i].remains, free + DUST, "what nobody can claim is dust, and what was not owed");
            vm.assertEq(settled[i].held, settled[i].got + settled[i].remains, "nobody else got anything");
        }
    }

    /// @dev Invariants over a thief who never gets anywhere would prove nothing.
    function test_TheThiefTriesEachKey() public {
        for (uint256 round = 0; round < 24; ++round) {
            this.actMany(round);
        }
        for (uint256 key = 1; key < 5; ++key) {
            vm.assertLt(1, thefts[key], "each stolen key was used with success");
        }
        vm.assertLt(0, gains, "the thief of the payer's key takes something");
    }

    /// @dev From outside, so that its memory is free again after it.
    function actMany(uint256 round) external {
        setUp();
        uint256 seed = round;
        for (uint256 i = 0; i < 100; ++i) {
            // Each key in turn.
            if (i == 10) handler.steal(uint8(round));
            seed = uint256(keccak256(abi.encode(seed)));
            _act(seed);
            invariant_NoKeyTakesMoreThanItsBound();
            invariant_TheHonestAttesterCanAlwaysAttest();
        }
        for (uint256 key = 1; key < 5; ++key) {
            thefts[key] += handler.thefts(ThiefHandler.Key(key));
        }
        gains += handler.taken(address(usdt)) + handler.taken(address(hash)) + handler.taken(NATIVE);
        afterInvariant();
    }

    /// @dev The payer: the cap, and its part of the time until the payer was replaced. All others: nothing.
    function _bound() private view returns (uint256) {
        if (handler.stolen() != ThiefHandler.Key.Payer) return 0;
        uint256 until = handler.replacedAt() == 0 ? block.timestamp : handler.replacedAt();
        return CAP_OF_EACH + CAP_OF_EACH * (until - handler.stolenAt()) / 1 days;
    }

    function _act(uint256 seed) private {
        uint8 small = uint8(seed >> 8);
        uint8 other = uint8(seed >> 16);
        uint256 amount = seed >> 64;
        uint256 action = seed % 14;
        if (action == 0) handler.deposit(small, other, amount);
        if (action == 1) handler.payMember(small, other, amount);
        if (action == 2) handler.nextDay();
        if (action == 4) handler.thiefPays(small, amount);
        if (action == 5) handler.thiefPaysAll(small);
        if (action == 6 || action == 3) handler.thiefAttests(small, uint64(amount), seed >> 32, other % 2 == 0);
        if (action == 7 || action == 8) handler.thiefUsesOwner(small, other, amount);
        if (action == 9) handler.thiefAccepts();
        if (action == 10) handler.thiefUsesItsRole(small, amount);
        if (action == 11) handler.thiefPauses();
        if (action > 11) handler.wait(uint32(amount));
    }
}
