package io.lambdafs.hammer.workload;

import io.lambdafs.hammer.tree.GeneratedNames;
import io.lambdafs.hammer.tree.ListedNames;
import io.lambdafs.hammer.tree.TreeNames;
import io.lambdafs.hammer.workload.YamlFile.Value;
import io.lambdafs.model.FsException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads a workload from a YAML file, or a built-in one. Stateless. */
public final class WorkloadFile {
    /** The built-in workloads. */
    public static final List<String> NAMES =
            List.of("spotify", "analytics", "spotify-creates-5", "spotify-creates-10", "spotify-creates-20");

    private static final int MAX_BYTES = 64 << 10;
    private static final List<String> KEYS = List.of("name", "operations", "load", "tree", "zipf", "seed");
    private static final List<String> LOAD_KEYS =
            List.of("shape", "arrivals", "seconds", "base-ops", "burst-factor", "warm-up");
    private static final List<String> TREE_KEYS = List.of("listing", "depth", "fan-out", "files", "name-length");

    private static final Range SECONDS = new Range(1, 86_400);
    private static final Range OPS = new Range(1, 1_000_000);
    private static final Range FACTOR = new Range(1, 100);
    private static final Range ZIPF = new Range(0, 4);
    private static final Range SHARE = new Range(0, 1e9);
    private static final Range WARM_UP = new Range(0, 3_600);
    private static final Range WHOLE = new Range(0, 1_000_000);
    private static final Range SEED = new Range(-(1L << 53), 1L << 53);

    private record Range(double least, double most) {
        String text() {
            return BigDecimal.valueOf(least).stripTrailingZeros().toPlainString() + ".."
                    + BigDecimal.valueOf(most).stripTrailingZeros().toPlainString();
        }
    }

    private WorkloadFile() {}

    /**
     * Reads a workload.
     *
     * @param profile a built-in name, or a file
     * @throws FsException {@code INVALID_ARGUMENT} naming the file, the line and the error
     */
    public static Workload read(String profile) {
        YamlFile file = YamlFile.parse(profile, NAMES.contains(profile) ? own(profile) : text(Path.of(profile)));
        file.check(file.values(), KEYS);
        Map<String, Value> load = section(file, "load", LOAD_KEYS);
        double warmUp = number(file, load.get("warm-up"), WARM_UP, 0);
        if (warmUp > 0 && warmUp < 1) {
            throw file.invalid(file.needed(load, "warm-up"), "\"warm-up\" is 0, or 1 s and more, not " + warmUp);
        }
        Workload workload = new Workload(
                mix(file),
                choice(file, load.get("shape"), LoadShape.BURSTS),
                choice(file, load.get("arrivals"), Arrivals.POISSON),
                Duration.ofNanos((long) (number(file, load.get("seconds"), SECONDS, 60) * 1e9)),
                number(file, load.get("base-ops"), OPS, 2_000),
                number(file, load.get("burst-factor"), FACTOR, Workload.DEFAULT_BURST_FACTOR),
                number(file, file.values().get("zipf"), ZIPF, Workload.DEFAULT_ZIPF_EXPONENT),
                (long) number(file, file.values().get("seed"), SEED, 1));
        return workload.withWarmUp(Duration.ofNanos((long) (warmUp * 1e9)));
    }

    /**
     * Reads the names of the namespace for the load.
     *
     * @return null if the profile does not define them
     * @throws FsException as {@link #read} does, and for errors in a listing
     */
    public static @Nullable TreeNames names(String profile) {
        if (NAMES.contains(profile)) {
            return null;
        }
        Path path = Path.of(profile);
        YamlFile file = YamlFile.parse(profile, text(path));
        Map<String, Value> tree = section(file, "tree", TREE_KEYS);
        if (tree.isEmpty()) {
            return null;
        }
        Value listing = tree.get("listing");
        if (listing != null) {
            if (tree.size() > 1) {
                throw file.invalid(listing, "\"listing\" stands alone: its names are not generated");
            }
            return ListedNames.read(path.resolveSibling(listing.text()));
        }
        int depth = whole(file, tree, "depth", 3);
        int fanOut = whole(file, tree, "fan-out", 8);
        int files = whole(file, tree, "files", 16);
        int nameLength = whole(file, tree, "name-length", 12);
        try {
            return new GeneratedNames(depth, fanOut, files, nameLength);
        } catch (FsException refused) {
            throw file.invalid(file.needed(file.values(), "tree"), String.valueOf(refused.getMessage()));
        }
    }

    private static int whole(YamlFile file, Map<String, Value> tree, String key, int otherwise) {
        double number = number(file, tree.get(key), WHOLE, otherwise);
        if (number != Math.rint(number)) {
            throw file.invalid(file.needed(tree, key), "\"" + key + "\" is a whole number, not " + number);
        }
        return (int) number;
    }

    private static OperationMix mix(YamlFile file) {
        List<String> names =
                Arrays.stream(OperationKind.values()).map(OperationKind::label).toList();
        Map<OperationKind, Double> shares = new EnumMap<>(OperationKind.class);
        Map<String, Value> operations = section(file, "operations", names);
        for (OperationKind kind : OperationKind.values()) {
            shares.put(kind, number(file, operations.get(kind.label()), SHARE, 0));
        }
        if (shares.values().stream().noneMatch(share -> share > 0)) {
            throw file.invalid("\"operations\" needs at least one share above 0, such as read: 70");
        }
        Value name = file.values().get("name");
        return OperationMix.of(name == null ? "a mix of one's own" : name.text(), shares);
    }

    private static Map<String, Value> section(YamlFile file, String key, List<String> known) {
        Value value = file.values().get(key);
        if (value == null) {
            return Map.of();
        }
        if (!value.text().isEmpty()) {
            throw file.invalid(value, "\"" + key + "\" is a mapping, of " + String.join(", ", known));
        }
        file.check(value.below(), known);
        return value.below();
    }

    private static double number(YamlFile file, @Nullable Value value, Range range, double otherwise) {
        if (value == null) {
            return otherwise;
        }
        double number = file.number(value);
        if (!(number >= range.least && number <= range.most)) {
            throw file.invalid(value, "\"" + value.key() + "\" is " + range.text() + ", not " + value.text());
        }
        return number;
    }

    private static <E extends Enum<E>> E choice(YamlFile file, @Nullable Value value, E otherwise) {
        if (value == null) {
            return otherwise;
        }
        E[] all = otherwise.getDeclaringClass().getEnumConstants();
        for (E each : all) {
            if (label(each).equals(value.text())) {
                return each;
            }
        }
        throw file.invalid(
                value,
                "\"" + value.key() + "\" is one of "
                        + Arrays.stream(all).map(WorkloadFile::label).collect(Collectors.joining(", ")) + ", not "
                        + value.text());
    }

    private static String label(Enum<?> choice) {
        return choice.name().toLowerCase(Locale.ROOT);
    }

    private static String own(String name) {
        try (InputStream in = WorkloadFile.class.getResourceAsStream(name + ".yaml")) {
            if (in == null) {
                throw new IllegalStateException("the program is incomplete: it has no workload " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Path file) {
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw invalid(file, "it is longer than " + MAX_BYTES + " bytes");
            }
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            throw invalid(
                    file, "there is no such file; a profile is one of " + String.join(", ", NAMES) + ", or a file");
        } catch (IOException e) {
            throw invalid(file, "it cannot be read: " + e);
        }
    }

    private static FsException invalid(Path file, String why) {
        return FsException.invalidArgument("the profile " + file + ": " + why);
    }
}
