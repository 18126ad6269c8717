// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPaymentGateway} from "../../src/IPaymentGateway.sol";
import {PaymentGateway} from "../../src/PaymentGateway.sol";
import {StablecoinToken} from "../../src/dev/StablecoinToken.sol";
import {GatewayTest, IFactory} from "../base/GatewayTest.sol";
import {vm} from "../base/Vm.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

contract SettingsTest is GatewayTest {
    event PayerChanged(address indexed previousPayer, address indexed newPayer);
    event DailyCapChanged(address indexed asset, uint256 previousCap, uint256 newCap);
    event SwapRouterChanged(address indexed previousRouter, address indexed newRouter);
    event SubcoinChanged(address indexed previousSubcoin, address indexed newSubcoin);

    function test_DeployedAsTold() public {
        vm.expectEmit(true, true, true, true);
        emit SwapRouterChanged(address(0), router);
        vm.expectEmit(true, true, true, true);
        emit SubcoinChanged(address(0), address(hash));
        PaymentGateway fresh = new PaymentGateway(owner, router, address(usdt), address(hash));
        vm.assertEq(fresh.owner(), owner, "owner");
        vm.assertEq(fresh.swapRouter(), router, "router");
        vm.assertEq(fresh.usdt(), address(usdt), "USDT");
        vm.assertEq(fresh.token(), address(hash), "subcoin");
        vm.assertEq(fresh.payer(), address(0), "no payer");
        vm.assertEq(fresh.leftToday(NATIVE), 0, "no cap");
        vm.assertTrue(!fresh.paused(), "not paused");
    }

    function test_PairOfTheRealFactory() public {
        vm.assertEq(gateway.pair(), address(0), "none before it is made");
        address pair = IFactory(factory).createPair(address(usdt), address(hash));
        vm.assertEq(gateway.pair(), pair, "the factory's pair");
    }

    function test_RevertWhen_DeployedWithAWrongAddress() public {
        vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.NotAContract.selector, stranger));
        new PaymentGateway(owner, stranger, address(usdt), address(hash));
        vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.NotAContract.selector, stranger));
        new PaymentGateway(owner, router, stranger, address(hash));
        vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.NotAContract.selector, stranger));
        new PaymentGateway(owner, router, address(usdt), stranger);
        vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.SameToken.selector, usdt));
        new PaymentGateway(owner, router, address(usdt), address(usdt));
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableInvalidOwner.selector, address(0)));
        new PaymentGateway(address(0), router, address(usdt), address(hash));
    }

    function testFuzz_RevertWhen_CallerIsNotOwner(address caller) public {
        vm.assume(caller != owner);
        address[2] memory callers = [caller, payer];
        bytes[6] memory calls = [
            abi.encodeCall(gateway.setPayer, (caller)),
            abi.encodeCall(gateway.setDailyCap, (NATIVE, 1)),
            abi.encodeCall(gateway.setSwapRouter, (factory)),
            abi.encodeCall(gateway.setSubcoin, (router)),
            abi.encodeCall(gateway.unpause, ()),
            abi.encodeCall(gateway.transferOwnership, (caller))
        ];
        for (uint256 i = 0; i < 2 * calls.length; ++i) {
            vm.prank(callers[i % 2]);
            (bool done, bytes memory reason) = address(gateway).call(calls[i / 2]);
            vm.assertTrue(!done, "refused");
            bytes memory expected = abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, callers[i % 2]);
            vm.assertEq(keccak256(reason), keccak256(expected), "and says why");
        }
    }

    function test_SetPayer() public {
        vm.expectEmit(true, true, true, true, address(gateway));
        emit PayerChanged(payer, friend);
        vm.prank(owner);
        gateway.setPayer(friend);
        vm.assertEq(gateway.payer(), friend, "the new payer");
        vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.NotPayer.selector, payer));
        vm.prank(payer);
        gateway.pay("id", NATIVE, stranger, 1);
    }

    function test_SetDailyCap() public {
        vm.expectEmit(true, true, true, true, address(gateway));
        emit DailyCapChanged(address(usdt), CAP, 5);
        vm.prank(owner);
        gateway.setDailyCap(address(usdt), 5);
        vm.assertEq(gateway.dailyCap(address(usdt)), 5, "the new cap");
        vm.assertEq(gateway.leftToday(address(usdt)), 5, "all of it is left");
        vm.assertEq(gateway.dailyCap(NATIVE), CAP, "others stay");
    }

    function test_RevertWhen_CapIsForNothing() public {
        vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.NotAContract.selector, stranger));
        vm.prank(owner);
        gateway.setDailyCap(stranger, 5);
    }

    function test_SetSwapRouter() public {
        string memory artifact = "../node_modules/@uniswap/v2-core/build/UniswapV2Factory.json";
        address otherFactory = _deploy(artifact, abi.encode(address(this)));
        artifact = "../node_modules/@uniswap/v2-periphery/build/UniswapV2Router02.json";
        address otherRouter = _deploy(artifact, abi.encode(otherFactory, stranger));
        IFactory(factory).createPair(address(usdt), address(hash));
        address pair = IFactory(otherFactory).createPair(address(usdt), address(hash));
        vm.expectEmit(true, true, true, true, address(gateway));
        emit SwapRouterChanged(router, otherRouter);
        vm.prank(owner);
        gateway.setSwapRouter(otherRouter);
        vm.assertEq(gateway.swapRouter(), otherRouter, "the new router");
        vm.assertEq(gateway.pair(), pair, "and its pair");
    }

    function test_RevertWhen_RouterIsNoContract() public {
        vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.NotAContract.selector, stranger));
        vm.prank(owner);
        gateway.setSwapRouter(stranger);
    }

    function test_SetSubcoin() public {
        StablecoinToken next = new StablecoinToken("Next", "NXT", SUPPLY, customer);
        IFactory(factory).createPair(address(usdt), address(hash));
        address pair = IFactory(factory).createPair(address(usdt), address(next));
        vm.expectEmit(true, true, true, true, address(gateway));
        emit SubcoinChanged(address(hash), address(next));
        vm.prank(owner);
        gateway.setSubcoin(address(next));
        vm.assertEq(gateway.token(), address(next), "the new subcoin");
        vm.assertEq(gateway.pair(), pair, "and its pair");
    }

    function test_RevertWhen_SubcoinIsNoContract() public {
        vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.NotAContract.selector, address(0)));
        vm.prank(owner);
        gateway.setSubcoin(address(0));
    }

    function test_RevertWhen_SubcoinIsUsdt() public {
        vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.SameToken.selector, usdt));
        vm.prank(owner);
        gateway.setSubcoin(address(usdt));
    }

    function test_OwnerAndPayerMayPause() public {
        vm.prank(owner);
        gateway.pause();
        vm.assertTrue(gateway.paused(), "paused by the owner");
        vm.prank(owner);
        gateway.unpause();
        vm.assertTrue(!gateway.paused(), "and open again");
        vm.prank(payer);
        gateway.pause();
        vm.assertTrue(gateway.paused(), "paused by the payer");
    }

    function testFuzz_RevertWhen_StrangerPauses(address caller) public {
        vm.assume(caller != owner && caller != payer);
        vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.NotOwnerOrPayer.selector, caller));
        vm.prank(caller);
        gateway.pause();
    }

    function test_RevertWhen_PayerUnpauses() public {
        vm.prank(payer);
        gateway.pause();
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, payer));
        vm.prank(payer);
        gateway.unpause();
    }

    function test_OwnershipMovesInTwoSteps() public {
        vm.prank(owner);
        gateway.transferOwnership(friend);
        vm.assertEq(gateway.owner(), owner, "nothing yet");
        vm.assertEq(gateway.pendingOwner(), friend, "but announced");
        vm.prank(friend);
        gateway.acceptOwnership();
        vm.assertEq(gateway.owner(), friend, "now");
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, owner));
        vm.prank(owner);
        gateway.setPayer(owner);
    }

    function testFuzz_RevertWhen_StrangerAccepts(address caller) public {
        vm.assume(caller != friend);
        vm.prank(owner);
        gateway.transferOwnership(friend);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, caller));
        vm.prank(caller);
        gateway.acceptOwnership();
    }

    function test_RevertWhen_OwnerRenounces() public {
        vm.expectRevert(IPaymentGateway.CannotRenounce.selector);
        vm.prank(owner);
        gateway.renounceOwnership();
        vm.assertEq(gateway.owner(), owner, "the owner stays");
    }
}
