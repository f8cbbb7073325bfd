package io.lambdafs.hammer.result;

/**
 * The cost of a run under three pricing models, in USD (the paper's §5.2.5). Immutable.
 *
 * @param payPerUseUsd every millisecond in which an instance served a request, and every invocation
 * @param simplifiedUsd every instance during its lifetime
 * @param serverfulUsd a fixed fleet, see {@link ServerfulFleet}
 * @param perMillionOpsUsd pay-per-use cost of a million operations
 */
public record Cost(double payPerUseUsd, double simplifiedUsd, double serverfulUsd, double perMillionOpsUsd) {
    static Cost of(double payPerUse, double simplified, double serverful, long operations) {
        return new Cost(payPerUse, simplified, serverful, operations == 0 ? 0 : payPerUse * 1e6 / operations);
    }
}
