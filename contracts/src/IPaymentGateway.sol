// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title Where money enters and leaves the service
/// @notice Money comes in by `recharge` or as a plain native transfer, always out of the caller's own pocket, and goes
/// out by `pay`, once per id and within a daily cap. Amounts are base units. The zero address stands for the chain's
/// native currency.
interface IPaymentGateway {
    /// @notice One payment out.
    /// @param id Chosen by the service; an id is paid once, ever
    /// @param asset Token, or the zero address for the native currency
    /// @param to Who receives it
    /// @param amount Base units
    struct Payment {
        bytes32 id;
        address asset;
        address to;
        uint256 amount;
    }

    /// @notice Money came in. One element per array for the asset, two for the people.
    /// @param tokenAddress The asset received, zero for the native currency
    /// @param amount What was measured to arrive, base units
    /// @param remark The action key, a colon, and the caller's reference: `buyPower:K3V9`, `deposit:`, `native:`
    /// @param customerAddress Who paid, then who it is for
    event TransactionDetails(address[] tokenAddress, uint256[] amount, string remark, address[] customerAddress);

    /// @notice Money went out.
    event Paid(bytes32 indexed id, address asset, address to, uint256 amount);

    /// @notice The account that may call `pay` changed.
    event PayerChanged(address indexed previousPayer, address indexed newPayer);

    /// @notice What may be paid out of an asset per UTC day changed.
    event DailyCapChanged(address indexed asset, uint256 previousCap, uint256 newCap);

    /// @notice The swap router, and with it the pair, changed.
    event SwapRouterChanged(address indexed previousRouter, address indexed newRouter);

    /// @notice The subcoin, and with it the pair, changed.
    event SubcoinChanged(address indexed previousSubcoin, address indexed newSubcoin);

    /// @notice No action has this key.
    error UnknownKey(string abiKey);
    /// @notice This asset cannot be paid in.
    error UnsupportedAsset(address asset);
    /// @notice The transaction carries another native value than the call calls for.
    error WrongValue(uint256 expected, uint256 sent);
    /// @notice The token moved another amount than it was told to.
    error WrongAmountMoved(address asset, uint256 expected, uint256 measured);
    /// @notice Zero is not an amount of money.
    error ZeroAmount();
    /// @notice The payment names nobody that it is for.
    error ZeroCustomer();
    /// @notice The reference is longer than 128 bytes or has a byte that is not printable ASCII.
    error BadReference();
    /// @notice Only the payer may do this.
    error NotPayer(address caller);
    /// @notice Only the owner or the payer may do this.
    error NotOwnerOrPayer(address caller);
    /// @notice An id is 32 bytes that are not all zero.
    error ZeroId();
    /// @notice This id has been paid.
    error AlreadyPaid(bytes32 id);
    /// @notice Neither the zero address nor this contract can be paid.
    error BadRecipient(address to);
    /// @notice The payment does not fit in what the day's cap leaves.
    error DailyCapExceeded(address asset, uint256 amount, uint256 left);
    /// @notice The recipient refused the native currency, or this contract has too little of it.
    error NativePaymentFailed(bytes32 id, address to, uint256 amount);
    /// @notice A contract is needed here, and nothing is deployed at the address.
    error NotAContract(address account);
    /// @notice The subcoin and USDT cannot be one token.
    error SameToken(address token);
    /// @notice The contract always has an owner.
    error CannotRenounce();

    /// @notice Pays money in.
    /// @dev Native: the value is the amount, exactly. Token: no value; the caller has approved the amount, and it is
    /// taken from the caller alone. What arrives is measured, and anything but the amount is refused.
    /// Errors: UnknownKey, ZeroAmount, ZeroCustomer, BadReference, UnsupportedAsset, WrongValue, WrongAmountMoved.
    /// @param abiKey What it is for: `buyPower`, `deposit`, `revenue` or `repay`
    /// @param data abi.encode(uint256 amount, address asset, address customer, string reference)
    function recharge(string calldata abiKey, bytes calldata data) external payable;

    /// @notice Pays money out, once per id. Payer only, and not while paused.
    /// @dev A native recipient gets 100,000 gas. Errors: NotPayer, EnforcedPause, ZeroId, AlreadyPaid, ZeroAmount,
    /// BadRecipient, DailyCapExceeded, NativePaymentFailed, WrongAmountMoved.
    function pay(bytes32 id, address asset, address to, uint256 amount) external;

    /// @notice Pays several, all or none.
    function payBatch(Payment[] calldata payments) external;

    /// @notice Stops payments out. The owner or the payer may; money in stays open, so that debts can be repaid.
    function pause() external;

    /// @notice Lets payments out go on. Owner only.
    function unpause() external;

    /// @notice Names the account that may pay; zero for nobody. Owner only.
    function setPayer(address newPayer) external;

    /// @notice Sets what may be paid out of an asset per UTC day; zero, the first value, for nothing. Owner only.
    function setDailyCap(address asset, uint256 newCap) external;

    /// @notice Sets the Uniswap V2 router whose factory knows the pair. Owner only.
    function setSwapRouter(address newRouter) external;

    /// @notice Sets the output coin. The one before is no longer accepted; its balance stays payable. Owner only.
    function setSubcoin(address newSubcoin) external;

    /// @notice The Uniswap V2 router.
    function swapRouter() external view returns (address);

    /// @notice The output coin ("subcoin").
    function token() external view returns (address);

    /// @notice The subcoin/USDT pair of the router's factory; zero while there is none.
    function pair() external view returns (address);

    /// @notice The stablecoin in which accounts are kept.
    function usdt() external view returns (address);

    /// @notice The account that may pay.
    function payer() external view returns (address);

    /// @notice What may be paid out of an asset per UTC day.
    function dailyCap(address asset) external view returns (uint256);

    /// @notice What was paid out of an asset on a day, counted in whole days since 1970-01-01 UTC.
    function paidOn(address asset, uint256 day) external view returns (uint256);

    /// @notice What may still be paid out of an asset today.
    function leftToday(address asset) external view returns (uint256);

    /// @notice Whether an id has been paid.
    function isPaid(bytes32 id) external view returns (bool);
}
