package io.lambdafs.deploy.aws.lambda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.deploy.Access;
import io.lambdafs.deploy.Change;
import io.lambdafs.deploy.DeployFailure;
import io.lambdafs.deploy.FunctionsSpec;
import io.lambdafs.deploy.Problem;
import io.lambdafs.deploy.Target;
import io.lambdafs.deploy.Undo;
import io.lambdafs.deploy.aws.MotoServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.cloudwatchlogs.CloudWatchLogsClient;
import software.amazon.awssdk.services.cloudwatchlogs.model.LogGroup;
import software.amazon.awssdk.services.iam.IamClient;
import software.amazon.awssdk.services.iam.model.Role;
import software.amazon.awssdk.services.lambda.LambdaClient;
import software.amazon.awssdk.services.lambda.model.CreateFunctionRequest;
import software.amazon.awssdk.services.lambda.model.FunctionConfiguration;
import software.amazon.awssdk.services.lambda.model.GetFunctionResponse;
import software.amazon.awssdk.services.lambda.model.SnapStartApplyOn;

/** Functions on moto's Lambda, which has all but the running of them. */
@Timeout(180)
class LambdaPlatformTest {
    private static MotoServer aws;
    private static LambdaClient lambda;

    @BeforeAll
    static void start() throws IOException {
        aws = MotoServer.start();
        lambda = LambdaClient.builder()
                .region(Region.EU_CENTRAL_1)
                .endpointOverride(aws.address())
                .httpClient(UrlConnectionHttpClient.create())
                .build();
    }

    @AfterAll
    static void stop() {
        if (aws != null) {
            lambda.close();
            aws.close();
        }
    }

    private static LambdaPlatform platform(URI endpoint, String content, Map<String, String> more) {
        Map<String, String> options = new HashMap<>(more);
        options.put("region", "eu-central-1");
        return LambdaPlatform.open(
                LambdaOptions.of(new Target(endpoint, null, "", null, "", options)), () -> zip(content));
    }

    private static byte[] zip(String content) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(out)) {
            ZipEntry entry = new ZipEntry("lib/some.jar");
            entry.setTime(0);
            zip.putNextEntry(entry);
            zip.write(content.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    private static FunctionsSpec wanted(String cluster, int deployments, int concurrency, int memoryMb) {
        return new FunctionsSpec(
                cluster,
                deployments,
                "",
                memoryMb,
                concurrency,
                Duration.ofMinutes(15),
                0,
                0.005,
                String.format(
                        "{\"deployments\":%d,\"store\":\"10.42.0.9:7000\",\"coordinator\":\"store\","
                                + "\"inv\":\"relayed\",\"insecure\":true}",
                        deployments),
                null,
                Map.of());
    }

    private static List<Change.Kind> kinds(List<Change> changes) {
        return changes.stream().map(Change::kind).distinct().toList();
    }

    private static List<String> functions() {
        return lambda.listFunctions().functions().stream()
                .map(FunctionConfiguration::functionName)
                .toList();
    }

    /** Returns the published versions of a function, each with the time of its last change. */
    private static List<String> versions(String function) {
        return lambda.listVersionsByFunction(asked -> asked.functionName(function)).versions().stream()
                .map(each -> each.version() + " " + each.lastModified())
                .toList();
    }

    private static IamClient iam() {
        return IamClient.builder()
                .region(Region.EU_CENTRAL_1)
                .endpointOverride(aws.address())
                .httpClient(UrlConnectionHttpClient.create())
                .build();
    }

    private static List<String> roles() {
        try (IamClient iam = iam()) {
            return iam.listRoles().roles().stream().map(Role::roleName).toList();
        }
    }

    @Test
    void shouldMakeFunctionsOnceAndChangeAndRemoveThem() {
        FunctionsSpec two = wanted("one", 2, 1, 1_024);
        try (LambdaPlatform platform =
                platform(aws.address(), "a", Map.of("mode", "held", "reserved", "50", "snapstart", "off"))) {
            assertThat(platform.check(two)).noneMatch(Problem::isFault);
            assertThat(kinds(platform.apply(two, true))).containsExactly(Change.Kind.CREATED);
            assertThat(functions()).as("a dry run makes nothing").isEmpty();

            assertThat(kinds(platform.apply(two, false))).containsExactly(Change.Kind.CREATED);
            List<String> versions = versions("one-nn0");
            assertThat(versions).isNotEmpty();
            assertThat(roles()).contains("one-lambdafs-function");
            assertThat(logDays("/aws/lambda/one-nn1")).containsExactly(30);
            assertThat(kinds(platform.apply(two, false))).as("twice").containsExactly(Change.Kind.UNCHANGED);
            assertThat(versions("one-nn0")).as("published").isEqualTo(versions);
        }
        GetFunctionResponse made =
                lambda.getFunction(asked -> asked.functionName("one-nn1").qualifier("live"));
        assertThat(made.configuration().runtimeAsString()).isEqualTo("java25");
        assertThat(made.configuration().memorySize()).isEqualTo(1_024);
        assertThat(made.configuration().environment().variables())
                .containsEntry("LAMBDAFS_MODE", "held")
                .containsEntry("LAMBDAFS_DEPLOYMENT", "1");
        assertThat(made.concurrency().reservedConcurrentExecutions()).isEqualTo(50);

        try (LambdaPlatform platform = platform(aws.address(), "b", Map.of("mode", "held", "snapstart", "off"))) {
            FunctionsSpec three = wanted("one", 3, 1, 2_048);
            List<Change> changes = platform.apply(three, false);
            assertThat(changes)
                    .filteredOn(each -> !each.what().equals("log group"))
                    .extracting(Change::kind)
                    .containsExactly(
                            Change.Kind.UNCHANGED, Change.Kind.UPDATED, Change.Kind.UPDATED, Change.Kind.CREATED);
            assertThat(lambda.getFunction(asked -> asked.functionName("one-nn0").qualifier("live"))
                            .configuration()
                            .memorySize())
                    .as("clients get the new version")
                    .isEqualTo(2_048);

            assertThat(kinds(platform.remove("one", true))).containsExactly(Change.Kind.REMOVED);
            assertThat(functions()).hasSize(3);
            assertThat(platform.remove("one", false)).hasSize(7);
            assertThat(logDays("/aws/lambda/one-nn")).isEmpty();
            assertThat(functions()).isEmpty();
            assertThat(roles()).doesNotContain("one-lambdafs-function");
            assertThat(platform.remove("one", false)).as("nothing is left").isEmpty();
        }
    }

    /** How long each log group with a prefix keeps lines. */
    private static List<Integer> logDays(String prefix) {
        try (CloudWatchLogsClient logs = CloudWatchLogsClient.builder()
                .region(Region.EU_CENTRAL_1)
                .endpointOverride(aws.address())
                .httpClient(UrlConnectionHttpClient.create())
                .build()) {
            return logs.describeLogGroups(asked -> asked.logGroupNamePrefix(prefix)).logGroups().stream()
                    .map(LogGroup::retentionInDays)
                    .toList();
        }
    }

    @Test
    void shouldSpeakToEachPartitionOfAws() {
        try (LambdaPlatform china = in("cn-north-1");
                LambdaPlatform government = in("us-gov-west-1");
                LambdaPlatform others = in("eu-north-1")) {
            FunctionsSpec wanted = wanted("far", 1, 1, 512);

            assertThat(china.access(wanted).gateway()).hasToString("https://lambda.cn-north-1.amazonaws.com.cn");
            assertThat(government.access(wanted).gateway()).hasToString("https://lambda.us-gov-west-1.amazonaws.com");
            assertThat(others.access(wanted).gateway()).hasToString("https://lambda.eu-north-1.amazonaws.com");
        }
        try (IamClient iam = iam()) {
            Change role = new FunctionRole(iam, "aws-cn").put("far", false, true, new Undo());

            assertThat(role.manifest()).contains("arn:aws-cn:logs:").doesNotContain("arn:aws:");
        }
    }

    private static LambdaPlatform in(String region) {
        return LambdaPlatform.open(LambdaOptions.of(new Target(null, null, "", null, "", Map.of("region", region))));
    }

    @Test
    void shouldHaveZipsStartFromSnapshotsUnlessEnvironmentsAreProvisioned() {
        // Of the requests themselves: moto forgets it.
        assertThat(creation(Map.of(), zip("a")).snapStart().applyOn()).isEqualTo(SnapStartApplyOn.PUBLISHED_VERSIONS);
        assertThat(creation(Map.of("provisioned", "2"), zip("a")).snapStart().applyOn())
                .isEqualTo(SnapStartApplyOn.NONE);
        assertThat(creation(Map.of(), null).snapStart().applyOn())
                .as("Lambda takes none of images")
                .isEqualTo(SnapStartApplyOn.NONE);
    }

    private static CreateFunctionRequest creation(Map<String, String> more, byte @Nullable [] zip) {
        Map<String, String> options = new HashMap<>(more);
        options.put("region", "eu-central-1");
        return new FunctionSpec(
                        wanted("snap", 1, 1, 512),
                        LambdaOptions.of(new Target(null, null, "", null, "", options)),
                        "snap-nn0",
                        "arn:aws:iam::123456789012:role/any",
                        zip,
                        "")
                .creation();
    }

    @Test
    void shouldTellClientsWhereTheFunctionsAre() {
        try (LambdaPlatform platform = platform(aws.address(), "a", Map.of("mode", "held"))) {
            Access access = platform.access(wanted("told", 1, 1, 512));

            assertThat(access.api()).isEqualTo("lambda");
            assertThat(access.options()).isEqualTo(Map.of("region", "eu-central-1", "mode", "held", "alias", "live"));
        }
    }

    @Test
    void shouldSayWhatStandsInTheWayAndLeaveForeignFunctionsAlone() {
        try (IamClient iam = iam()) {
            iam.createRole(asked -> asked.roleName("any").assumeRolePolicyDocument("{}"));
        }
        lambda.createFunction(asked -> asked.functionName("two-nn0")
                .role("arn:aws:iam::123456789012:role/any")
                .runtime("java25")
                .handler("x")
                .code(code -> code.zipFile(SdkBytes.fromByteArray(zip("x")))));
        try (LambdaPlatform platform = platform(aws.address(), "a", Map.of())) {
            assertThat(platform.check(wanted("two", 1, 4, 64)))
                    .filteredOn(Problem::isFault)
                    .extracting(Problem::code)
                    .containsExactlyInAnyOrder(Problem.Code.CONCURRENCY, Problem.Code.MEMORY, Problem.Code.NAME_TAKEN);
            assertThat(platform.remove("two", false)).isEmpty();
        }
        assertThat(functions()).contains("two-nn0");
        lambda.deleteFunction(asked -> asked.functionName("two-nn0"));
    }

    @Test
    void shouldLeaveNothingOfADeploymentThatFails() {
        FunctionsSpec wanted = wanted("three", 1, 1, 512);
        // A role that there is not: moto refuses it as AWS does, after nothing else was made.
        try (LambdaPlatform platform = platform(aws.address(), "a", Map.of("role", "arn:aws:iam::1:role/none"))) {
            assertThatThrownBy(() -> platform.apply(wanted, false)).isInstanceOf(DeployFailure.class);
        }
        assertThat(functions()).doesNotContain("three-nn0");
    }

    @Test
    void shouldNotReachAWrongAddress() {
        try (LambdaPlatform platform = platform(URI.create("http://127.0.0.1:1"), "a", Map.of())) {
            assertThat(platform.check(wanted("four", 1, 1, 512)))
                    .filteredOn(Problem::isFault)
                    .extracting(Problem::code)
                    .containsExactly(Problem.Code.UNREACHABLE);
        }
    }

    @Test
    void shouldRefuseOptionsThatMakeNoSense() {
        assertThatThrownBy(() -> platform(aws.address(), "a", Map.of("provisioned", "2", "snapstart", "on")))
                .isInstanceOf(DeployFailure.class)
                .hasMessageContaining("SnapStart");
        assertThatThrownBy(() -> platform(aws.address(), "a", Map.of("mode", "always")))
                .hasMessageContaining("invocation or held");
        assertThatThrownBy(() -> LambdaOptions.of(new Target(null, null, "", null, "", Map.of("region", "nowhere"))))
                .hasMessageContaining("region");
    }
}
