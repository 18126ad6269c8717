// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AttestedGateway} from "./AttestedGateway.sol";
import {GatewayControl} from "./GatewayControl.sol";
import {IPaymentGateway} from "./IPaymentGateway.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// @dev The only function of a Uniswap V2 router that the gateway calls.
interface IRouterFactory {
    function factory() external view returns (address);
}

/// @dev The only function of a Uniswap V2 factory that the gateway calls.
interface IPairFinder {
    function getPair(address tokenA, address tokenB) external view returns (address);
}

/// @title Receives payments to the service and makes payments out of it; functions are documented in the interface
/// @dev Roles and caps are in `GatewayControl`; attestations, exit mode and the owner's taking in `AttestedGateway`. Together they make
/// three kinds of calls that can change anything: `transferFrom` of the caller's own tokens, `transfer` of its own
/// tokens, and sending its own native currency. It has no `delegatecall`, and no caller can choose what it calls.
contract PaymentGateway is IPaymentGateway, AttestedGateway {
    using SafeERC20 for IERC20;

    address private constant NATIVE = address(0);
    uint256 private constant MAX_REFERENCE_BYTES = 128;
    /// @dev Enough for contract wallets; bounded, because the payer pays for the gas.
    uint256 private constant NATIVE_PAYMENT_GAS = 100_000;

    bytes32 private constant BUY_POWER = keccak256("buyPower");
    bytes32 private constant DEPOSIT = keccak256("deposit");
    bytes32 private constant REVENUE = keccak256("revenue");
    bytes32 private constant REPAY = keccak256("repay");

    /// @inheritdoc IPaymentGateway
    address public immutable usdt;
    /// @inheritdoc IPaymentGateway
    address public swapRouter;
    /// @inheritdoc IPaymentGateway
    address public token;
    /// @inheritdoc IPaymentGateway
    mapping(bytes32 id => bool) public isPaid;

    /// @param setup The first roles and caps, which need no notice
    /// @param router A Uniswap V2 router
    /// @param usdt_ The stablecoin, which cannot be changed
    /// @param subcoin The output coin
    constructor(Setup memory setup, address router, address usdt_, address subcoin)
        GatewayControl(setup, [usdt_, subcoin, NATIVE])
    {
        _requireContract(usdt_);
        usdt = usdt_;
        _setSwapRouter(router);
        _setSubcoin(subcoin);
    }

    /// @notice A plain native transfer is an incoming payment for its sender.
    receive() external payable whileOpen {
        require(msg.value != 0, ZeroAmount());
        _emitReceipt(NATIVE, msg.value, "native:", msg.sender);
    }

    /// @inheritdoc IPaymentGateway
    function recharge(string calldata abiKey, bytes calldata data) external payable nonReentrant whileOpen {
        _requireKnownKey(abiKey);
        (uint256 amount, address asset, address customer, string memory ref) =
            abi.decode(data, (uint256, address, address, string));
        require(amount != 0, ZeroAmount());
        require(customer != address(0), ZeroCustomer());
        _requirePrintable(bytes(ref));
        _collect(asset, amount);
        _emitReceipt(asset, amount, string.concat(abiKey, ":", ref), customer);
    }

    /// @inheritdoc IPaymentGateway
    function pay(bytes32 id, address asset, address to, uint256 amount)
        external
        nonReentrant
        whenNotPaused
        onlyPayer
        notInExit
    {
        _pay(Payment(id, asset, to, amount));
    }

    /// @inheritdoc IPaymentGateway
    function payBatch(Payment[] calldata payments) external nonReentrant whenNotPaused onlyPayer notInExit {
        for (uint256 i = 0; i < payments.length; ++i) {
            _pay(payments[i]);
        }
    }

    /// @inheritdoc IPaymentGateway
    function setSwapRouter(address newRouter) external onlyOwner {
        _setSwapRouter(newRouter);
    }

    /// @inheritdoc IPaymentGateway
    function setSubcoin(address newSubcoin) external onlyOwner {
        _setSubcoin(newSubcoin);
    }

    /// @inheritdoc IPaymentGateway
    function pair() external view returns (address) {
        return IPairFinder(IRouterFactory(swapRouter).factory()).getPair(token, usdt);
    }

    function _usdt() internal view override returns (address) {
        return usdt;
    }

    /// @dev Takes the amount from the caller; reverts if any other amount arrives.
    function _collect(address asset, uint256 amount) private {
        if (asset == NATIVE) {
            require(msg.value == amount, WrongValue(amount, msg.value));
            return;
        }
        require(asset == usdt || asset == token, UnsupportedAsset(asset));
        require(msg.value == 0, WrongValue(0, msg.value));
        uint256 before = IERC20(asset).balanceOf(address(this));
        IERC20(asset).safeTransferFrom(msg.sender, address(this), amount);
        _requireMoved(asset, amount, before, IERC20(asset).balanceOf(address(this)));
    }

    /// @dev Writes the state before it sends, so that a recipient that calls back finds the id used and the cap reduced.
    function _pay(Payment memory payment) private {
        require(payment.id != bytes32(0), ZeroId());
        require(!isPaid[payment.id], AlreadyPaid(payment.id));
        require(payment.amount != 0, ZeroAmount());
        require(payment.to != address(0) && payment.to != address(this), BadRecipient(payment.to));
        _useCap(payment.asset, payment.amount);
        isPaid[payment.id] = true;
        _recordPaid(payment.asset, payment.to, payment.amount);
        emit Paid(payment.id, payment.asset, payment.to, payment.amount);
        _send(payment);
    }

    function _send(Payment memory payment) internal override {
        if (payment.asset != NATIVE) {
            _sendToken(payment);
            return;
        }
        bool sent = _tryNative(payment.to, payment.amount);
        require(sent, NativePaymentFailed(payment.id, payment.to, payment.amount));
    }

    function _tryNative(address to, uint256 amount) internal override returns (bool sent) {
        // In assembly, because Solidity would copy the return data of the recipient, and the payer would pay for it.
        assembly ("memory-safe") {
            sent := call(NATIVE_PAYMENT_GAS, to, amount, 0, 0, 0, 0)
        }
    }

    /// @dev Both balances are measured: the gateway's fell by the amount exactly, and the recipient's rose by it.
    function _sendToken(Payment memory payment) private {
        IERC20 asset = IERC20(payment.asset);
        uint256 ours = asset.balanceOf(address(this));
        uint256 theirs = asset.balanceOf(payment.to);
        asset.safeTransfer(payment.to, payment.amount);
        _requireMoved(payment.asset, payment.amount, asset.balanceOf(address(this)), ours);
        _requireMoved(payment.asset, payment.amount, theirs, asset.balanceOf(payment.to));
    }

    function _emitReceipt(address asset, uint256 amount, string memory remark, address customer) private {
        address[] memory assets = new address[](1);
        assets[0] = asset;
        uint256[] memory amounts = new uint256[](1);
        amounts[0] = amount;
        address[] memory customers = new address[](2);
        customers[0] = msg.sender;
        customers[1] = customer;
        emit TransactionDetails(assets, amounts, remark, customers);
    }

    function _setSwapRouter(address newRouter) private {
        _requireContract(newRouter);
        emit SwapRouterChanged(swapRouter, newRouter);
        swapRouter = newRouter;
    }

    function _setSubcoin(address newSubcoin) private {
        _requireContract(newSubcoin);
        require(newSubcoin != usdt, SameToken(newSubcoin));
        emit SubcoinChanged(token, newSubcoin);
        token = newSubcoin;
    }

    function _requireKnownKey(string calldata abiKey) private pure {
        bytes32 key = keccak256(bytes(abiKey));
        require(key == BUY_POWER || key == DEPOSIT || key == REVENUE || key == REPAY, UnknownKey(abiKey));
    }

    /// @dev `low` and `high` are the same balance before and after a transfer, in the order that gives a positive result.
    function _requireMoved(address asset, uint256 amount, uint256 low, uint256 high) private pure {
        uint256 moved = high > low ? high - low : 0;
        require(moved == amount, WrongAmountMoved(asset, amount, moved));
    }

    /// @dev References are stored in databases and shown on screens, so control bytes and invalid UTF-8 are refused here.
    function _requirePrintable(bytes memory ref) private pure {
        require(ref.length <= MAX_REFERENCE_BYTES, BadReference());
        for (uint256 i = 0; i < ref.length; ++i) {
            require(ref[i] >= 0x20 && ref[i] <= 0x7e, BadReference());
        }
    }
}
