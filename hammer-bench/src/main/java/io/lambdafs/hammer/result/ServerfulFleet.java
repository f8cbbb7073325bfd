package io.lambdafs.hammer.result;

import io.lambdafs.hammer.tree.Limits;
import java.util.Locale;

/**
 * The fleet of virtual machines that a serverful metadata service would keep for the same load: as many vCPUs as the
 * serverless instances had at their peak, paid for during the whole run, since a fixed fleet is sized for its peak (the
 * paper's §5.2.5 bills the whole cluster for every interval). Immutable.
 *
 * @param vcpuPerInstance vCPUs that one instance counts for, 0.01–1,024
 * @param usdPerVcpuHour price, USD
 */
public record ServerfulFleet(double vcpuPerInstance, double usdPerVcpuHour) {
    /** On demand, us-east-1: 1.008 USD per hour for the 16 vCPUs of an r5.4xlarge, the machine of the paper's §5.1. */
    public static final double R5_4XLARGE_USD_PER_VCPU_HOUR = 1.008 / 16;

    /** One vCPU per instance at the price of an r5.4xlarge. */
    public static final ServerfulFleet DEFAULT = new ServerfulFleet(1, R5_4XLARGE_USD_PER_VCPU_HOUR);

    public ServerfulFleet {
        Limits.check("fleet: vCPUs per instance", vcpuPerInstance, 0.01, 1_024);
        Limits.check("fleet: USD per vCPU and hour", usdPerVcpuHour, 0, 1_000);
    }

    /** Returns the cost of a fleet for a peak number of instances, at least one, over a time. */
    public double usd(int peakInstances, double seconds) {
        return Math.max(1, peakInstances) * vcpuPerInstance * usdPerVcpuHour * seconds / 3_600;
    }

    /** Returns the formula with its numbers. */
    public String describe(int peakInstances) {
        return String.format(
                Locale.ROOT,
                "%d instances at peak × %s vCPU × %.3f USD per vCPU-hour%s, for the whole run",
                Math.max(1, peakInstances),
                vcpuPerInstance == Math.rint(vcpuPerInstance)
                        ? String.valueOf((long) vcpuPerInstance)
                        : String.format(Locale.ROOT, "%.2f", vcpuPerInstance),
                usdPerVcpuHour,
                usdPerVcpuHour == R5_4XLARGE_USD_PER_VCPU_HOUR ? " (r5.4xlarge: 1.008 / 16)" : "");
    }
}
