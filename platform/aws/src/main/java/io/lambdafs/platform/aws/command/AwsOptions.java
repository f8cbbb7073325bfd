package io.lambdafs.platform.aws.command;

import io.lambdafs.platform.aws.StackChoice;
import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Option groups of the {@code lambdafs aws} commands. Stateless. */
final class AwsOptions {
    private AwsOptions() {}

    /** The stack and its parameters. */
    static final class Choice {
        @Parameters(index = "0", paramLabel = "NAME", description = "The stack's name, and what its names begin with.")
        private String name = "";

        @Option(names = "--region", paramLabel = "REGION", description = "Any of AWS's (default: AWS_REGION).")
        private String region = "";

        @Option(
                names = "--store",
                paramLabel = "none|aurora|ndb",
                description = "Where the metadata is (default ${DEFAULT-VALUE}).")
        private String store = "none";

        @Option(names = "--kubernetes", description = "With an EKS cluster.")
        private boolean kubernetes;

        @Option(names = "--endpoints", description = "With interface endpoints of AWS's services in the network.")
        private boolean endpoints;

        @Option(names = "--parameter", paramLabel = "KEY=VALUE", description = "A further parameter of the template.")
        private Map<String, String> parameters = new LinkedHashMap<>();

        @Option(names = "--tag", paramLabel = "KEY=VALUE", description = "A tag of everything in the stack.")
        private Map<String, String> tags = new LinkedHashMap<>();

        @Option(names = "--endpoint", paramLabel = "URL", hidden = true, description = "What stands for AWS.")
        private @Nullable URI endpoint;

        StackChoice get() {
            Map<String, String> all = new TreeMap<>(parameters);
            all.put("Store", store);
            all.put("Kubernetes", Boolean.toString(kubernetes));
            all.put("Endpoints", Boolean.toString(endpoints));
            String ambient = System.getenv().getOrDefault("AWS_REGION", "");
            return new StackChoice(name, region.isEmpty() ? ambient : region, endpoint, all, tags);
        }
    }

    /** The user's consent to changes. */
    static final class Consent {
        @Option(names = "--dry-run", description = "Say what would change, and change nothing.")
        boolean isDry;

        @Option(names = "--yes", description = "Do not ask.")
        boolean isGiven;
    }

    /** The image of instances and services. */
    static final class Image {
        @Option(
                names = "--image",
                paramLabel = "FILE",
                description = "An archive that lambdafs image makes, which goes to the stack's repository.")
        @Nullable
        Path archive;
    }

    /** The options of a bench run. */
    static final class BenchOptions {
        @Option(
                names = "--program",
                paramLabel = "FILE",
                required = true,
                description = "The tarball that lambdafs dist makes.")
        Path program = Path.of("");

        @Option(
                names = "--cluster-dir",
                paramLabel = "DIR",
                required = true,
                description = "The cluster's directory for clients.")
        Path directory = Path.of("");

        @Option(
                names = "--arguments",
                paramLabel = "TEXT",
                description = "Of lambdafs replay on each worker (default: the paper's load, an eighth on each).")
        String arguments = "";

        @Option(
                names = "--report",
                paramLabel = "DIR",
                description = "Where the reports go (default ${DEFAULT-VALUE}).")
        Path report = Path.of("lambdafs-report");

        @Option(names = "--limit", paramLabel = "MINUTES", description = "For all of it (default ${DEFAULT-VALUE}).")
        int minutes = 60;
    }
}
