package io.lambdafs.deploy.aws.lambda;

import io.lambdafs.deploy.Access;
import io.lambdafs.deploy.Change;
import io.lambdafs.deploy.DeployFailure;
import io.lambdafs.deploy.FunctionsSpec;
import io.lambdafs.deploy.Platform;
import io.lambdafs.deploy.Problem;
import io.lambdafs.deploy.Undo;
import io.lambdafs.functions.FunctionConfig;
import io.lambdafs.functions.FunctionConfigReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.cloudwatchlogs.CloudWatchLogsClient;
import software.amazon.awssdk.services.iam.IamClient;
import software.amazon.awssdk.services.iam.model.Role;
import software.amazon.awssdk.services.lambda.LambdaClient;
import software.amazon.awssdk.services.lambda.model.GetFunctionResponse;
import software.amazon.awssdk.services.lambda.model.LambdaException;

/** AWS Lambda: a function per deployment, and a role for all of them. A tag marks the parts of a cluster. */
final class LambdaPlatform implements Platform {
    /** The concurrency that Lambda keeps for functions without a reservation. */
    private static final int UNRESERVED = 100;

    private static final int NOT_FOUND = 404;
    private static final int LEAST_MB = 128;
    private static final int MOST_MB = 10_240;

    private final LambdaOptions options;
    private final Supplier<byte[]> zips;
    private final SdkHttpClient http;
    private final LambdaClient lambda;
    private final Functions functions;
    private final IamClient iam;
    private final FunctionRole role;
    private final CloudWatchLogsClient logs;
    private final FunctionLogs groups;

    private LambdaPlatform(
            LambdaOptions options,
            Supplier<byte[]> zips,
            SdkHttpClient http,
            LambdaClient lambda,
            IamClient iam,
            CloudWatchLogsClient logs) {
        this.options = options;
        this.zips = zips;
        this.http = http;
        this.lambda = lambda;
        this.functions = new Functions(lambda);
        this.iam = iam;
        this.role = new FunctionRole(iam, region(options).metadata().partition().id());
        this.logs = logs;
        this.groups = new FunctionLogs(logs);
    }

    /** Opens Lambda with credentials from the SDK's chain. */
    static LambdaPlatform open(LambdaOptions options) {
        return open(options, FunctionPackage::zip);
    }

    /** @param zips supplies the code of functions without an image */
    static LambdaPlatform open(LambdaOptions options, Supplier<byte[]> zips) {
        SdkHttpClient http = UrlConnectionHttpClient.create();
        Region region = region(options);
        URI endpoint = options.endpoint();
        var lambda = LambdaClient.builder().region(region).httpClient(http);
        var iam = IamClient.builder().region(region).httpClient(http);
        var logs = CloudWatchLogsClient.builder().region(region).httpClient(http);
        if (endpoint != null) {
            lambda.endpointOverride(endpoint);
            iam.endpointOverride(endpoint);
            logs.endpointOverride(endpoint);
        }
        return new LambdaPlatform(options, zips, http, lambda.build(), iam.build(), logs.build());
    }

    private static Region region(LambdaOptions options) {
        return Region.of(options.region());
    }

    @Override
    public List<Problem> check(FunctionsSpec wanted) {
        List<Problem> problems = new ArrayList<>(sizes(wanted));
        problems.addAll(configuration(wanted));
        try {
            for (String name : functions.names(wanted.cluster())) {
                Optional<GetFunctionResponse> found = functions.find(name);
                if (found.isPresent() && !Functions.isOf(wanted.cluster(), found.get())) {
                    problems.add(taken("function", name));
                }
            }
            long reserved = (long) options.reserved() * wanted.deployments();
            long most = reserved == 0 ? Long.MAX_VALUE : concurrency();
            if (reserved + UNRESERVED > most) {
                problems.add(Problem.fault(
                        Problem.Code.QUOTA,
                        wanted.deployments() + " functions with a reserved concurrency of " + options.reserved()
                                + " are "
                                + reserved + "; the account has " + most + " here, of which " + UNRESERVED
                                + " stay unreserved",
                        "reserve less, or have the quota raised"));
            }
            if (options.role().isEmpty()) {
                Optional<Role> found = role.find(wanted.cluster());
                if (found.isPresent() && !FunctionRole.isOf(wanted.cluster(), found.get())) {
                    problems.add(taken("role", FunctionRole.name(wanted.cluster())));
                }
            }
        } catch (SdkException failure) {
            problems.add(LambdaFaults.problem(failure, "ask AWS Lambda in " + options.region()));
        }
        return problems;
    }

    /**
     * Returns the account's concurrency limit; unlimited if AWS does not report it, as its stand-in in tests does not.
     */
    private long concurrency() {
        try {
            Integer most = lambda.getAccountSettings(asked -> {}).accountLimit().concurrentExecutions();
            return most == null ? Long.MAX_VALUE : most;
        } catch (LambdaException unsaid) {
            if (unsaid.statusCode() == NOT_FOUND) {
                return Long.MAX_VALUE;
            }
            throw unsaid;
        }
    }

    private List<Problem> sizes(FunctionsSpec wanted) {
        List<Problem> problems = new ArrayList<>();
        if (wanted.concurrency() != 1) {
            problems.add(Problem.fault(
                    Problem.Code.CONCURRENCY,
                    "an environment of Lambda serves one call at a time, not " + wanted.concurrency(),
                    "give --concurrency 1"));
        }
        if (wanted.memoryMb() < LEAST_MB || wanted.memoryMb() > MOST_MB) {
            problems.add(Problem.fault(
                    Problem.Code.MEMORY,
                    "a function of Lambda has " + LEAST_MB + " to " + MOST_MB + " MB, not " + wanted.memoryMb(),
                    "correct --memory"));
        }
        if (options.mode().equals("held") && wanted.timeout().toSeconds() < 60) {
            problems.add(Problem.advice(
                    Problem.Code.TIME_LIMIT,
                    "held invocations end after " + wanted.timeout().toSeconds() + " s",
                    "give --timeout 900: a connection lasts as long as its invocation"));
        }
        if (wanted.minInstances() > 0) {
            problems.add(Problem.advice(
                    Problem.Code.CONFIGURATION,
                    "Lambda keeps no instances by --min-instances",
                    "give --option provisioned=" + wanted.minInstances()));
        }
        return problems;
    }

    private List<Problem> configuration(FunctionsSpec wanted) {
        FunctionConfig config = FunctionConfigReader.parse(
                wanted.configuration().getBytes(StandardCharsets.UTF_8), wanted.secretFile());
        List<Problem> problems = new ArrayList<>();
        if (config.coordination().inv() != FunctionConfig.Coordination.Inv.RELAYED
                || config.coordination().keeper() != FunctionConfig.Coordination.Keeper.STORE) {
            problems.add(Problem.fault(
                    Problem.Code.CONFIGURATION,
                    "Lambda's functions take no connections, and keep no session while they are frozen",
                    "have \"inv\": \"relayed\" and \"coordinator\": \"store\" in the functions' configuration"));
        }
        problems.addAll(LambdaNames.problems(wanted));
        if (options.subnets().isEmpty()) {
            problems.add(Problem.advice(
                    Problem.Code.CONFIGURATION,
                    "the functions are in no VPC, where they reach public addresses alone",
                    "give --option subnets=… and security-groups=… of the VPC in which the store is"));
        }
        return problems;
    }

    private static Problem taken(String what, String name) {
        return Problem.fault(
                Problem.Code.NAME_TAKEN,
                "there is a " + what + " " + name + " that is none of this cluster",
                "name the cluster otherwise with --cluster, or remove it");
    }

    @Override
    public List<Change> apply(FunctionsSpec wanted, boolean dryRun) {
        Undo undo = new Undo();
        try {
            byte[] zip = wanted.image().isEmpty() ? zips.get() : null;
            String sha256 = zip == null ? "" : FunctionPackage.sha256(zip);
            List<Change> changes = new ArrayList<>();
            String arn = options.role();
            if (arn.isEmpty()) {
                changes.add(role.put(wanted.cluster(), !options.subnets().isEmpty(), dryRun, undo));
                arn = role.find(wanted.cluster()).map(Role::arn).orElse("(the role that is made)");
            }
            for (int i = 0; i < wanted.deployments(); i++) {
                String name = wanted.function(i);
                groups.put(wanted.cluster(), name, options.logDays(), dryRun, undo)
                        .ifPresent(changes::add);
                changes.add(functions.put(new FunctionSpec(wanted, options, name, arn, zip, sha256), dryRun, undo));
            }
            for (String name : functions.names(wanted.cluster())) {
                if (wanted.isSurplus(name)) {
                    changes.addAll(remove(name, wanted.cluster(), dryRun));
                }
            }
            return changes;
        } catch (SdkException failure) {
            throw undo.undo(LambdaFaults.of(failure, "deploy to AWS Lambda in " + options.region()));
        } catch (DeployFailure failure) {
            throw undo.undo(failure);
        }
    }

    @Override
    public List<Change> remove(String cluster, boolean dryRun) {
        try {
            List<Change> changes = new ArrayList<>();
            for (String name : functions.names(cluster)) {
                changes.addAll(remove(name, cluster, dryRun));
            }
            changes.addAll(role.remove(cluster, dryRun));
            return changes;
        } catch (SdkException failure) {
            throw LambdaFaults.of(failure, "remove the functions of " + cluster);
        }
    }

    private List<Change> remove(String name, String cluster, boolean dryRun) {
        Optional<GetFunctionResponse> found = functions.find(name);
        if (found.isEmpty() || !Functions.isOf(cluster, found.get())) {
            return List.of();
        }
        if (!dryRun) {
            functions.delete(name);
        }
        List<Change> changes = new ArrayList<>(List.of(new Change(Change.Kind.REMOVED, "function", name, "")));
        groups.remove(name, dryRun).ifPresent(changes::add);
        return List.copyOf(changes);
    }

    @Override
    public Access access(FunctionsSpec wanted) {
        URI endpoint = options.endpoint();
        URI api = endpoint == null
                ? URI.create("https://" + LambdaClient.serviceMetadata().endpointFor(region(options)))
                : endpoint;
        return new Access(
                "lambda",
                api,
                "",
                "",
                null,
                false,
                Map.of("region", options.region(), "mode", options.mode(), "alias", options.alias()));
    }

    @Override
    public void close() {
        lambda.close();
        iam.close();
        logs.close();
        http.close();
    }
}
