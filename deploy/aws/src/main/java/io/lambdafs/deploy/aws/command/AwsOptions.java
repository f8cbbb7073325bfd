package io.lambdafs.deploy.aws.command;

import io.lambdafs.deploy.aws.StackChoice;
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
        @Parameters(index = "0", paramLabel = "NAME", description = "Name of the stack, and prefix of its names.")
        private String name = "";

        @Option(names = "--region", paramLabel = "REGION", description = "AWS region (default: AWS_REGION).")
        private String region = "";

        @Option(
                names = "--store",
                paramLabel = "none|aurora|ndb",
                description = "Store of the metadata (default ${DEFAULT-VALUE}).")
        private String store = "none";

        @Option(names = "--kubernetes", description = "Add an EKS cluster.")
        private boolean kubernetes;

        @Option(names = "--endpoints", description = "Add interface endpoints of AWS services to the network.")
        private boolean endpoints;

        @Option(
                names = "--parameter",
                paramLabel = "KEY=VALUE",
                description = "Set a further parameter of the template.")
        private Map<String, String> parameters = new LinkedHashMap<>();

        @Option(names = "--tag", paramLabel = "KEY=VALUE", description = "Tag everything in the stack.")
        private Map<String, String> tags = new LinkedHashMap<>();

        @Option(
                names = "--endpoint",
                paramLabel = "URL",
                hidden = true,
                description = "Endpoint to use instead of AWS's.")
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
        @Option(names = "--dry-run", description = "Show what would change, and change nothing.")
        boolean isDry;

        @Option(names = "--yes", description = "Skip the confirmation.")
        boolean isGiven;
    }

    /** The image of instances and services. */
    static final class Image {
        @Option(
                names = "--image",
                paramLabel = "FILE",
                description = "Archive made by lambdafs image; goes to the stack's repository.")
        @Nullable
        Path archive;
    }

    /** The options of a bench run. */
    static final class BenchOptions {
        @Option(
                names = "--program",
                paramLabel = "FILE",
                required = true,
                description = "Tarball made by lambdafs dist.")
        Path program = Path.of("");

        @Option(
                names = "--cluster-dir",
                paramLabel = "DIR",
                required = true,
                description = "Directory of the cluster for clients.")
        Path directory = Path.of("");

        @Option(
                names = "--arguments",
                paramLabel = "TEXT",
                description = "Arguments of lambdafs replay on each worker (default: an eighth of the paper's load).")
        String arguments = "";

        @Option(
                names = "--report",
                paramLabel = "DIR",
                description = "Directory for the reports (default ${DEFAULT-VALUE}).")
        Path report = Path.of("lambdafs-report");

        @Option(
                names = "--limit",
                paramLabel = "MINUTES",
                description = "Time limit for the whole command (default ${DEFAULT-VALUE}).")
        int minutes = 60;
    }
}
