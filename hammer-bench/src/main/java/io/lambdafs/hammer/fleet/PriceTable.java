package io.lambdafs.hammer.fleet;

import io.lambdafs.hammer.workload.YamlFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * Prices of a cloud at a date, from {@code prices.yaml}. Immutable.
 *
 * @param usdPerGbSecond of functions, while they serve requests
 * @param usdPerMillionRequests invocations of functions
 * @param usdPerVcpuHour of virtual machines, while they exist
 */
public record PriceTable(
        String cloud, String date, double usdPerGbSecond, double usdPerMillionRequests, double usdPerVcpuHour) {
    private static final String NAME = "prices.yaml";

    /** Reads the built-in prices. */
    public static PriceTable read() {
        YamlFile file = YamlFile.parse(NAME, text());
        Map<String, YamlFile.Value> values = file.values();
        file.check(values, List.of("cloud", "date", "function", "machine", "clouds", "shapes"));
        Map<String, YamlFile.Value> function = file.needed(values, "function").below();
        return new PriceTable(
                file.needed(values, "cloud").text(),
                file.needed(values, "date").text(),
                file.number(file.needed(function, "usd-per-gb-second")),
                file.number(file.needed(function, "usd-per-million-requests")),
                file.number(file.needed(file.needed(values, "machine").below(), "usd-per-vcpu-hour")));
    }

    private static String text() {
        try (InputStream in = PriceTable.class.getResourceAsStream("/io/lambdafs/hammer/" + NAME)) {
            if (in == null) {
                throw new IllegalStateException("the program is incomplete: it has no " + NAME);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the cost of virtual machines for the whole time. */
    public double machinesUsd(double vcpu, double seconds) {
        return vcpu * usdPerVcpuHour * seconds / 3_600;
    }

    /** Returns the cost of always busy functions. */
    double heldUsd(long memoryMb, double seconds) {
        return memoryMb / 1_024.0 * seconds * usdPerGbSecond;
    }

    /** Returns the number of virtual machines' processors that an amount buys for a time. */
    double vcpuFor(double usd, double seconds) {
        return usd * 3_600 / (usdPerVcpuHour * seconds);
    }
}
