// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title Receives payments to the service and makes payments out of it
/// @notice Money comes in by `recharge` or as a plain native transfer, always from the caller's own balance, and goes
/// out by `pay`, once per id and within the asset's cap. Amounts are base units. The zero address stands for the chain's
/// native currency.
interface IPaymentGateway {
    /// @notice One payment out.
    /// @param id Chosen by the service; each id is paid at most once
    /// @param asset Token, or the zero address for the native currency
    /// @param to Who receives it
    /// @param amount Base units
    struct Payment {
        bytes32 id;
        address asset;
        address to;
        uint256 amount;
    }

    /// @notice Money came in. Each array has one element for the asset; `customerAddress` has two.
    /// @param tokenAddress The asset received, zero for the native currency
    /// @param amount The amount that was measured to arrive, base units
    /// @param remark The action key, a colon, and the caller's reference: `buyPower:K3V9`, `deposit:`, `native:`
    /// @param customerAddress The payer, then the customer whom the payment is for
    event TransactionDetails(address[] tokenAddress, uint256[] amount, string remark, address[] customerAddress);

    /// @notice Money went out.
    event Paid(bytes32 indexed id, address asset, address to, uint256 amount);

    /// @notice The swap router changed, and with it the pair.
    event SwapRouterChanged(address indexed previousRouter, address indexed newRouter);

    /// @notice The subcoin changed, and with it the pair.
    event SubcoinChanged(address indexed previousSubcoin, address indexed newSubcoin);

    /// @notice No action has this key.
    error UnknownKey(string abiKey);
    /// @notice This asset cannot be paid in.
    error UnsupportedAsset(address asset);
    /// @notice The native value of the transaction is not the one that the call requires.
    error WrongValue(uint256 expected, uint256 sent);
    /// @notice The token moved another amount than the requested one.
    error WrongAmountMoved(address asset, uint256 expected, uint256 measured);
    /// @notice The amount is zero.
    error ZeroAmount();
    /// @notice The customer is the zero address.
    error ZeroCustomer();
    /// @notice The reference is longer than 128 bytes or has a byte that is not printable ASCII.
    error BadReference();
    /// @notice The payment id is zero.
    error ZeroId();
    /// @notice This id has been paid.
    error AlreadyPaid(bytes32 id);
    /// @notice Neither the zero address nor this contract can be paid.
    error BadRecipient(address to);
    /// @notice The recipient refused the native currency, or this contract has too little of it.
    error NativePaymentFailed(bytes32 id, address to, uint256 amount);
    /// @notice The subcoin and USDT cannot be the same token.
    error SameToken(address token);

    /// @notice Pays money in, once something was attested and not in exit mode, as plain transfers too.
    /// @dev Native: the value must equal the amount. Token: no value; the caller has approved the amount, and it is taken
    /// from the caller only. What arrives is measured, and any other amount than the stated one is refused.
    /// Errors: NeverAttested, InExit, UnknownKey, ZeroAmount, ZeroCustomer, BadReference, UnsupportedAsset, WrongValue, WrongAmountMoved.
    /// @param abiKey The purpose: `buyPower`, `deposit`, `revenue` or `repay`
    /// @param data abi.encode(uint256 amount, address asset, address customer, string reference)
    function recharge(string calldata abiKey, bytes calldata data) external payable;

    /// @notice Pays money out, once per id. Payer only, and not while paused.
    /// @dev A native recipient gets 100,000 gas. Errors: NotPayer, EnforcedPause, InExit, ZeroId, AlreadyPaid, ZeroAmount,
    /// BadRecipient, DailyCapExceeded, NativePaymentFailed, WrongAmountMoved.
    function pay(bytes32 id, address asset, address to, uint256 amount) external;

    /// @notice Makes several payments, all or none.
    function payBatch(Payment[] calldata payments) external;

    /// @notice Sets the Uniswap V2 router, whose factory has the pair. Owner only.
    function setSwapRouter(address newRouter) external;

    /// @notice Sets the output coin. The previous one is no longer accepted; its balance can still be paid out. Owner only.
    function setSubcoin(address newSubcoin) external;

    /// @notice The Uniswap V2 router.
    function swapRouter() external view returns (address);

    /// @notice The output coin ("subcoin").
    function token() external view returns (address);

    /// @notice The subcoin/USDT pair of the router's factory; zero if there is none.
    function pair() external view returns (address);

    /// @notice The stablecoin in which prices are stated.
    function usdt() external view returns (address);

    /// @notice Whether an id has been paid.
    function isPaid(bytes32 id) external view returns (bool);
}
