package io.lambdafs.functions;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.lambdafs.functions.serving.ClientRanges;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Times;
import io.lambdafs.rpc.Hosts;
import io.lambdafs.rpc.tls.TlsFiles;
import io.lambdafs.rpc.transports.TransportKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Parses a {@link FunctionConfig} from JSON: one object of scalars plus the objects {@code times} and {@code
 * directStores}. Unknown or duplicate keys and values of the wrong type are rejected. Parses tokens directly, because
 * an instance starts faster without data binding. Confined to one thread.
 */
public final class FunctionConfigReader {
    private static final int MAX_BYTES = 1 << 20;
    private static final String DIRECT_STORES = "directStores";

    private final Map<String, Object> values;
    /** The secret file used if the text names none. */
    private final @Nullable Path otherSecret;

    private FunctionConfigReader(Map<String, Object> values, @Nullable Path otherSecret) {
        this.values = values;
        this.otherSecret = otherSecret;
    }

    /**
     * Reads a file.
     *
     * @throws FsException {@code INVALID_ARGUMENT} with the error in the file; {@code UNAVAILABLE} if it cannot be read
     */
    public static FunctionConfig read(Path file) {
        return read(file, null);
    }

    /** Reads a file, with a default secret file if it names none. */
    public static FunctionConfig read(Path file, @Nullable Path otherSecret) {
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw invalid(file + " is longer than " + MAX_BYTES + " bytes");
            }
            return parse(Files.readAllBytes(file), otherSecret);
        } catch (NoSuchFileException e) {
            throw FsException.unavailable("there is no configuration file " + file + ": check LAMBDAFS_CONF", e);
        } catch (IOException e) {
            throw FsException.unavailable(
                    "cannot read the configuration file " + file + ": " + e + "; check who owns it", e);
        }
    }

    /** Parses JSON text; fails as {@link #read}. */
    public static FunctionConfig parse(byte[] json) {
        return parse(json, null);
    }

    /** Parses JSON text, with a default secret file if it names none. */
    public static FunctionConfig parse(byte[] json, @Nullable Path otherSecret) {
        Map<String, Object> flat = new HashMap<>();
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw invalid("it is not a JSON object");
            }
            object(parser, "", flat);
            if (parser.nextToken() != null) {
                throw invalid("something follows the JSON object");
            }
        } catch (IOException e) {
            throw invalid("it is not JSON: " + e.getMessage());
        }
        return new FunctionConfigReader(flat, otherSecret).config();
    }

    private static void object(JsonParser parser, String prefix, Map<String, Object> into) throws IOException {
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String key = prefix + parser.currentName();
            JsonToken token = parser.nextToken();
            if (token == JsonToken.START_OBJECT && (key.equals("times") || key.equals(DIRECT_STORES))) {
                object(parser, key + ".", into);
                continue;
            }
            Object value = switch (token) {
                case VALUE_STRING -> parser.getText();
                case VALUE_TRUE -> true;
                case VALUE_FALSE -> false;
                case VALUE_NUMBER_INT -> parser.getLongValue();
                case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
                default -> throw invalid("the value of \"" + key + "\" is neither text, number nor boolean");
            };
            if (into.put(key, value) != null) {
                throw invalid("\"" + key + "\" is given twice");
            }
        }
    }

    private static long loops(double cpuShare) {
        return Math.max(
                FunctionConfig.Limits.DEFAULT.eventLoops(),
                Math.min((long) Math.ceil(cpuShare), FunctionConfig.Limits.MAX_LOOPS));
    }

    private FunctionConfig config() {
        String store = required(text("store"), "store");
        String given = text("listenHost");
        String listenHost = given == null ? Hosts.loopback() : given;
        FunctionConfig.Endpoints endpoints = new FunctionConfig.Endpoints(
                store,
                listenHost,
                or(text("advertisedHost"), listenHost),
                flag("sameMachine", false),
                clientRanges(listenHost),
                tls());
        FunctionConfig.Coordination coordination = new FunctionConfig.Coordination(
                choice("coordinator", FunctionConfig.Coordination.Keeper.ZOOKEEPER),
                or(text("zookeeper"), ""),
                flag("zookeeperProof", true),
                choice("inv", FunctionConfig.Coordination.Inv.DIRECT),
                choice("transport", TransportKind.NETTY));
        FunctionConfig.Limits defaults = FunctionConfig.Limits.DEFAULT;
        double cpuShare = real("cpuShare", defaults.cpuShare());
        FunctionConfig.Limits limits = new FunctionConfig.Limits(
                cpuShare,
                number("cacheBytes", defaults.cacheBytes(), Long.MAX_VALUE),
                (int) number("smallFileLimitBytes", defaults.smallFileLimitBytes(), Integer.MAX_VALUE),
                (int) number("maxInFlight", defaults.maxInFlight(), Integer.MAX_VALUE),
                (int) number("eventLoops", loops(cpuShare), Integer.MAX_VALUE),
                (int) number("workers", defaults.workers(), Integer.MAX_VALUE),
                (int) number("reclaimBatch", defaults.reclaimBatch(), Integer.MAX_VALUE),
                (int) number("reclaimParallel", defaults.reclaimParallel(), Integer.MAX_VALUE),
                (int) number("changeLogEntries", defaults.changeLogEntries(), Integer.MAX_VALUE),
                (int) number("trashMinutes", defaults.trashMinutes(), Integer.MAX_VALUE),
                (int) number("boostMillis", defaults.boostMillis(), Integer.MAX_VALUE));
        String secretFile = text("secretFile");
        FunctionConfig config = new FunctionConfig(
                or(text("fileSystem"), "lambdafs"),
                (int) number("deployments", 0, Integer.MAX_VALUE),
                or(text("superuser"), or(System.getProperty("user.name"), "lambdafs")),
                endpoints,
                coordination,
                secretFile == null ? otherSecret : Path.of(secretFile),
                flag("insecure", false),
                limits,
                Times.from(this::millis),
                or(text("logLevel"), "INFO"),
                direct(),
                new FunctionConfig.Distance(micros("storeDistanceMicros"), micros("coordinationDistanceMicros")));
        Iterator<String> left = values.keySet().iterator();
        if (left.hasNext()) {
            throw invalid("there is no key \"" + left.next() + "\": remove it, or correct its name");
        }
        return config;
    }

    private FunctionConfig.Direct direct() {
        Map<String, String> stores = new HashMap<>();
        for (String key : List.copyOf(values.keySet())) {
            if (key.startsWith(DIRECT_STORES + ".")) {
                stores.put(key.substring(DIRECT_STORES.length() + 1), or(text(key), ""));
            }
        }
        return new FunctionConfig.Direct(stores, or(text("directEndpoint"), ""), or(text("directEncryption"), ""));
    }

    private ClientRanges clientRanges(String listenHost) {
        String text = text("clientRanges");
        try {
            return text == null ? ClientRanges.beside(listenHost) : ClientRanges.parse(text);
        } catch (FsException e) {
            throw invalid("\"clientRanges\": " + e.getMessage());
        }
    }

    private Optional<TlsFiles> tls() {
        try {
            return TlsFiles.ofService(text("tlsCa"), text("tlsCertificate"), text("tlsKey"));
        } catch (IllegalArgumentException incomplete) {
            throw invalid(String.valueOf(incomplete.getMessage()));
        }
    }

    private Duration millis(String name, Duration otherwise) {
        return Duration.ofMillis(number("times." + name + "Millis", otherwise.toMillis(), 1L << 40));
    }

    private Duration micros(String key) {
        return Duration.ofNanos(1_000 * number(key, 0, Integer.MAX_VALUE));
    }

    private @Nullable String text(String key) {
        Object value = values.remove(key);
        FunctionConfig.check(value == null || value instanceof String, key, "text");
        return (String) value;
    }

    /** Parses an enum constant in lower case. */
    private <E extends Enum<E>> E choice(String key, E otherwise) {
        String value = text(key);
        if (value == null) {
            return otherwise;
        }
        List<String> names = new ArrayList<>();
        for (E constant : otherwise.getDeclaringClass().getEnumConstants()) {
            String name = constant.name().toLowerCase(Locale.ROOT);
            if (name.equals(value)) {
                return constant;
            }
            names.add(name);
        }
        throw invalid("\"" + key + "\" must be one of " + String.join(", ", names) + "; correct it");
    }

    private boolean flag(String key, boolean otherwise) {
        Object value = values.remove(key);
        FunctionConfig.check(value == null || value instanceof Boolean, key, "true or false");
        return value == null ? otherwise : (Boolean) value;
    }

    private long number(String key, long otherwise, long max) {
        Object value = values.remove(key);
        if (value == null) {
            return otherwise;
        }
        FunctionConfig.check(
                value instanceof Long given && given >= 0 && given <= max, key, "a whole number, at most " + max);
        return (Long) value;
    }

    private double real(String key, double otherwise) {
        Object value = values.remove(key);
        FunctionConfig.check(value == null || value instanceof Number, key, "a number");
        return value == null ? otherwise : ((Number) value).doubleValue();
    }

    private static String required(@Nullable String value, String key) {
        FunctionConfig.check(value != null && !value.isEmpty(), key, "given");
        return or(value, "");
    }

    private static String or(@Nullable String value, String otherwise) {
        return value == null ? otherwise : value;
    }

    private static FsException invalid(String why) {
        return FsException.invalidArgument("configuration: " + why);
    }
}
