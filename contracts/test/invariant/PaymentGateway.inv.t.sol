// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {StablecoinToken} from "../../src/dev/StablecoinToken.sol";
import {GatewayTest} from "../base/GatewayTest.sol";
import {vm} from "../base/Vm.sol";
import {GatewayHandler} from "./GatewayHandler.sol";

/// @notice Invariants after any sequence of actions by customers, payer and owner.
contract PaymentGatewayInvariants is GatewayTest {
    StablecoinToken private nextHash;
    GatewayHandler private handler;

    function setUp() public override {
        super.setUp();
        nextHash = new StablecoinToken("Next Hash", "HASH2", SUPPLY, customer);
        address[4] memory assets = [NATIVE, address(usdt), address(hash), address(nextHash)];
        gateway = _newGateway(600);
        _open();
        _raise(address(nextHash), 600);
        handler = new GatewayHandler(GatewayHandler.World(gateway, owner, payer, guardian, usdt, hash, nextHash));
        for (uint256 i = 0; i < 12; ++i) {
            _give(assets[i / 3], handler.actors(i % 3));
            if (i < 9) handler.approve(uint8(i % 3), uint8(i / 3), 4_000);
        }
    }

    function targetContracts() public view returns (address[] memory) {
        return _list(address(handler));
    }

    /// @dev Incoming amounts of all events less outgoing amounts of all events equal the balance.
    function invariant_BalanceIsTheSumOfTheEvents() public view {
        for (uint256 i = 0; i < 4; ++i) {
            address asset = handler.assets(i);
            uint256 expected = handler.cameIn(asset) - handler.wentOut(asset);
            vm.assertEq(_balance(asset, address(gateway)), expected, "balance and events");
        }
    }

    /// @dev The bound under all that the owner lowers and raises: never more than the highest cap, and its part of the time.
    function invariant_PaidIsWithinTheCap() public view {
        for (uint256 i = 0; i < 4; ++i) {
            address asset = handler.assets(i);
            uint256 most = handler.highestCap(asset);
            uint256 time = block.timestamp - handler.beganAt();
            vm.assertLe(handler.wentOut(asset), most + most * time / 1 days, "paid");
            vm.assertLe(gateway.leftOfCap(asset), gateway.dailyCap(asset), "left");
        }
    }

    function invariant_OnePaymentPerId() public view {
        for (uint256 id = 0; id < handler.IDS(); ++id) {
            uint256 payments = handler.paymentsOf(bytes32(id));
            vm.assertLe(payments, 1, "an id is paid once");
            vm.assertEq(gateway.isPaid(bytes32(id)), payments == 1, "and then says so");
        }
    }

    /// @dev The handler's own record falls only where the actor itself recharges or approves.
    function invariant_AllowanceFallsOnlyInItsOwnersCall() public view {
        for (uint256 i = 1; i < 4; ++i) {
            for (uint256 j = 0; j < 3; ++j) {
                (address asset, address actor) = (handler.assets(i), handler.actors(j));
                uint256 allowance = StablecoinToken(asset).allowance(actor, address(gateway));
                vm.assertEq(allowance, handler.allowed(actor, asset), "allowance");
            }
        }
    }

    /// @dev Invariants over actions that are all refused would prove nothing.
    function test_TheHandlerReachesEverything() public {
        uint256 seed = 1;
        for (uint256 i = 0; i < 2_400; ++i) {
            seed = uint256(keccak256(abi.encode(seed)));
            _act(seed);
        }
        bytes4[9] memory actions = [
            gateway.recharge.selector,
            bytes4(0),
            gateway.pay.selector,
            gateway.payBatch.selector,
            gateway.lowerCap.selector,
            gateway.announceRaise.selector,
            gateway.raiseCap.selector,
            gateway.pause.selector,
            gateway.unpause.selector
        ];
        for (uint256 i = 0; i < actions.length; ++i) {
            vm.assertLt(0, handler.successes(actions[i]), "each action succeeds at times");
        }
        vm.assertLt(9, handler.successes(gateway.recharge.selector), "many receipts");
        vm.assertLt(9, handler.successes(gateway.pay.selector), "many payments");
        vm.assertLt(9, handler.refusals(), "many refusals");
        vm.assertLt(0, handler.refusedByCap(), "some are refused for the cap alone");
        vm.assertLt(0, handler.loweredBelowTheUsed(), "some caps are lowered below what is used");
        invariant_BalanceIsTheSumOfTheEvents();
        invariant_PaidIsWithinTheCap();
        invariant_OnePaymentPerId();
        invariant_AllowanceFallsOnlyInItsOwnersCall();
    }

    function _act(uint256 seed) private {
        (uint8 a, uint8 b, uint8 c, uint8 d) =
            (uint8(seed >> 8), uint8(seed >> 16), uint8(seed >> 24), uint8(seed >> 32));
        uint256 amount = seed >> 64;
        uint256 action = seed % 11;
        if (action == 0) handler.send(a, amount);
        else if (action == 1) handler.approve(a, b, amount);
        else if (action == 2) handler.pay(a, b, c, d, amount);
        else if (action == 3) handler.payBatch(a, [b, c, d], [c, d, a], [amount % 50, amount % 51, amount % 53]);
        else if (action == 4) handler.lowerCap(a, b, amount);
        else if (action == 8) handler.announceRaise(a, b, amount);
        else if (action == 9) handler.raiseCap(a, b);
        else if (action == 5) handler.setSubcoin(a, b);
        else if (action == 6) handler.pauseOrNot(a, b);
        else if (action == 7) handler.wait(uint32(seed >> 40));
        else handler.recharge(a, b, c, amount, d);
    }

    function _give(address asset, address actor) private {
        if (asset == NATIVE) {
            vm.deal(actor, 100_000);
        } else {
            vm.prank(customer);
            require(StablecoinToken(asset).transfer(actor, 100_000));
        }
    }
}
