// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IGatewayControl} from "../../src/IGatewayControl.sol";
import {PaymentGateway} from "../../src/PaymentGateway.sol";
import {StablecoinToken} from "../../src/dev/StablecoinToken.sol";
import {vm} from "./Vm.sol";

interface IFactory {
    function createPair(address tokenA, address tokenB) external returns (address pair);
}

/// @notice A gateway on the Uniswap V2 contracts that npm ships, with a funded customer and nothing paid yet.
abstract contract GatewayTest {
    uint256 internal constant SUPPLY = 1e30;
    uint256 internal constant CAP = 1_000 ether;
    address internal constant NATIVE = address(0);

    address internal owner = address(0xA11CE);
    address internal payer = address(0xBA9E5);
    address internal standbyPayer = address(0xBA9E52);
    address internal attester = address(0xA77E57);
    address internal standbyAttester = address(0xA77E572);
    address internal guardian = address(0x6A4D);
    address internal customer = address(0xC0575);
    address internal friend = address(0xF51E4D);
    address internal stranger = address(0x57A4E5);

    StablecoinToken internal usdt;
    StablecoinToken internal hash;
    address internal factory;
    address internal router;
    PaymentGateway internal gateway;

    function setUp() public virtual {
        vm.warp(1_790_000_000);
        usdt = new StablecoinToken("Tether USD", "USDT", SUPPLY, customer);
        hash = new StablecoinToken("Hash", "HASH", SUPPLY, customer);
        factory = _deploy("../node_modules/@uniswap/v2-core/build/UniswapV2Factory.json", abi.encode(address(this)));
        address weth = _deploy("../node_modules/@uniswap/v2-periphery/build/WETH9.json", "");
        router =
            _deploy("../node_modules/@uniswap/v2-periphery/build/UniswapV2Router02.json", abi.encode(factory, weth));
        gateway = _newGateway(CAP);
        _open();
        vm.deal(customer, SUPPLY);
        vm.startPrank(customer);
        usdt.approve(address(gateway), type(uint256).max);
        hash.approve(address(gateway), type(uint256).max);
        vm.stopPrank();
    }

    /// @dev Nothing is attested yet, so no money can come in.
    function _newGateway(uint256 cap) internal returns (PaymentGateway) {
        return new PaymentGateway(_setup(cap), router, address(usdt), address(hash));
    }

    function _setup(uint256 cap) internal view returns (IGatewayControl.Setup memory) {
        return IGatewayControl.Setup(owner, payer, standbyPayer, attester, standbyAttester, guardian, [cap, cap, cap]);
    }

    /// @dev Attests for a day long ago that nothing is owed.
    function _open() internal {
        vm.prank(attester);
        gateway.attest(1, keccak256("nothing"), [uint128(0), 0, 0], address(hash), 1, 0, 0);
    }

    /// @dev The cap of an asset is as high as that, after the notice.
    function _raise(address asset, uint256 cap) internal {
        vm.prank(owner);
        gateway.announceRaise(asset, cap);
        vm.warp(block.timestamp + gateway.NOTICE());
        vm.prank(owner);
        gateway.raiseCap(asset);
    }

    /// @dev Has another payer or attester, after the notice.
    function _switch(IGatewayControl.Role role, address account) internal {
        vm.prank(owner);
        gateway.nameStandby(role, account);
        vm.warp(block.timestamp + gateway.NOTICE());
        vm.prank(owner);
        gateway.switchToStandby(role);
    }

    function _deploy(string memory artifact, bytes memory arguments) internal returns (address deployed) {
        // Not vm.getCode: these artifacts contain the bytecode twice, which vm.getCode cannot read.
        string memory hexCode = vm.parseJsonString(vm.readFile(artifact), ".bytecode");
        bytes memory code = bytes.concat(vm.parseBytes(string.concat("0x", hexCode)), arguments);
        assembly ("memory-safe") {
            deployed := create(0, add(code, 0x20), mload(code))
        }
        vm.assertTrue(deployed != address(0), artifact);
    }

    /// @dev Gives the gateway money without an event, which only tests need.
    function _fund(address asset, uint256 amount) internal {
        if (asset == NATIVE) {
            vm.deal(address(gateway), address(gateway).balance + amount);
        } else {
            vm.prank(customer);
            require(StablecoinToken(asset).transfer(address(gateway), amount));
        }
    }

    function _balance(address asset, address account) internal view returns (uint256) {
        return asset == NATIVE ? account.balance : StablecoinToken(asset).balanceOf(account);
    }

    function _pair(address first, address second) internal pure returns (address[] memory list) {
        list = new address[](2);
        (list[0], list[1]) = (first, second);
    }

    function _list(address only) internal pure returns (address[] memory list) {
        list = new address[](1);
        list[0] = only;
    }

    function _list(uint256 only) internal pure returns (uint256[] memory list) {
        list = new uint256[](1);
        list[0] = only;
    }

    /// @dev The next call must emit exactly this receipt.
    function _expectReceipt(address asset, uint256 amount, string memory remark, address from, address to) internal {
        vm.expectEmit(true, true, true, true, address(gateway));
        emit TransactionDetails(_list(asset), _list(amount), remark, _pair(from, to));
    }

    /// @dev Declared again on purpose, from the specification rather than from the contract: if the contract's event
    /// changed, every test that expects a receipt would fail.
    event TransactionDetails(address[] tokenAddress, uint256[] amount, string remark, address[] customerAddress);
}
