package io.lambdafs.deploy.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.FsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Object;

/** The stack on moto's CloudFormation. */
@Timeout(180)
@Tag("slow")
class StacksTest {
    private static final Map<String, String> AURORA = Map.of("Store", "aurora");

    @Test
    void shouldMakeAStackOnceAndRemoveIt() throws IOException {
        try (MotoServer aws = MotoServer.start()) {
            StackChoice choice =
                    new StackChoice("mine", "eu-north-1", aws.address(), Map.of(), Map.of("team", "storage"));
            Template template = Template.shipped();
            try (Stacks stacks = Stacks.open(choice)) {
                assertThat(stacks.find("mine")).isEmpty();
                List<PartChange> planned = stacks.apply(choice, template, true);
                assertThat(planned).isNotEmpty().allMatch(each -> each.kind() == PartChange.Kind.CREATED);
                assertThat(stacks.find("mine")).as("a dry run leaves nothing").isEmpty();

                stacks.apply(choice, template, false);
                Stacks.State made = stacks.find("mine").orElseThrow();
                assertThat(made.status()).isEqualTo("CREATE_COMPLETE");
                assertThat(made.outputs()).containsKeys("BlockBucket", "PrivateSubnets", "FunctionRoleArn");
                assertThat(stacks.apply(choice, template, false)).as("twice").isEmpty();

                destroy(stacks);
                assertThat(stacks.find("mine")).isEmpty();
                assertThat(stacks.destroy("mine", false)).isFalse();
            }
        }
    }

    @Test
    void shouldHoldTwoStacksInARegionAndKeepTheirDatabases() throws IOException {
        try (MotoServer aws = MotoServer.start()) {
            // moto makes neither Aurora nor EKS by CloudFormation.
            Map<String, String> all = Map.of("Store", "ndb", "Endpoints", "true");
            Template template = Template.shipped();
            StackChoice first = new StackChoice("first", "eu-north-1", aws.address(), all, Map.of());
            StackChoice second = new StackChoice("second", "eu-north-1", aws.address(), all, Map.of());
            try (Stacks stacks = Stacks.open(first)) {
                assertThat(stacks.apply(second, template, true))
                        .as("the same question twice")
                        .isEqualTo(stacks.apply(second, template, true));
                stacks.apply(first, template, false);
                stacks.apply(second, template, false);

                assertThat(stacks.find("first").orElseThrow().status()).isEqualTo("CREATE_COMPLETE");
                assertThat(stacks.find("second").orElseThrow().status()).isEqualTo("CREATE_COMPLETE");
                assertThatThrownBy(() -> stacks.destroy("first", true))
                        .isInstanceOf(FsException.class)
                        .hasMessageContaining("hosts of NDB")
                        .hasMessageContaining("Protection=false");
                assertThat(stacks.find("first")).as("nothing is removed").isPresent();
            }
        }
    }

    /** moto forgets a network's last interfaces, and cannot remove the network then; the stack is gone all the same. */
    private static void destroy(Stacks stacks) {
        try {
            assertThat(stacks.destroy("mine", false)).isTrue();
        } catch (FsException failure) {
            assertThat(failure).hasMessageContaining("DependencyViolation");
        }
    }

    @Test
    void shouldStartWorkersFetchTheirReportsAndEndThem(@TempDir Path folder) throws Exception {
        try (MotoServer aws = MotoServer.start()) {
            StackChoice cluster = new StackChoice("load", "eu-north-1", aws.address(), Map.of(), Map.of());
            Map<String, String> outputs;
            try (Stacks stacks = Stacks.open(cluster)) {
                stacks.apply(cluster, Template.shipped(), false);
                outputs = stacks.find("load").orElseThrow().outputs();
            }
            Path program = Files.writeString(folder.resolve("program.tar.gz"), "no program");
            Path directory = Files.createDirectory(folder.resolve("cluster"));
            Files.writeString(directory.resolve("client.json"), "{}");
            Workers.Run run = new Workers.Run("first", program, directory, "", Duration.ofMinutes(1));
            String bucket = outputs.get("BlockBucket");
            try (Workers workers = new Workers(cluster, Duration.ofMillis(50));
                    S3Client s3 = S3Client.builder()
                            .region(Region.EU_NORTH_1)
                            .endpointOverride(aws.address())
                            .forcePathStyle(true)
                            .httpClient(UrlConnectionHttpClient.create())
                            .build()) {
                // Machines do not run on moto: what they would put into the bucket is put there once they are started.
                int good = workers.run(run, outputs, folder.resolve("reports"), line -> {
                    if (line.startsWith("0 of")) {
                        assertThat(s3.listObjectsV2(asked -> asked.bucket(bucket))
                                        .contents())
                                .extracting(S3Object::key)
                                .contains("setup/bench/first/lambdafs.tar.gz", "setup/bench/first/cluster/client.json");
                        for (int i = 0; i < Workers.COUNT; i++) {
                            String worker = "reports/first/worker-" + i + "/";
                            String exit = i == 3 ? "1" : "0";
                            s3.putObject(
                                    asked -> asked.bucket(bucket).key(worker + "result.json"),
                                    RequestBody.fromString("{}"));
                            s3.putObject(
                                    asked -> asked.bucket(bucket).key(worker + "exit"), RequestBody.fromString(exit));
                        }
                    }
                });

                assertThat(good).isEqualTo(7);
                assertThat(folder.resolve("reports/worker-5/result.json")).hasContent("{}");
                assertThat(s3.listObjectsV2(asked -> asked.bucket(bucket).prefix("setup/"))
                                .contents())
                        .isEmpty();
            }
            try (Stacks stacks = Stacks.open(cluster)) {
                assertThat(stacks.find("load-bench")).as("no worker is left").isEmpty();
            }
        }
    }

    @Test
    void shouldCountWhatWasChosen() {
        Template template = Template.shipped();

        assertThat(template.parts(Map.of())).noneMatch(part -> part.type().startsWith("AWS::RDS"));
        assertThat(template.parts(AURORA)).anyMatch(part -> part.type().equals("AWS::RDS::DBCluster"));
        Estimate least = Estimate.of(template, Map.of());
        Estimate most = Estimate.of(template, Map.of("Store", "ndb", "Kubernetes", "true", "Endpoints", "true"));
        assertThat(least.perHour()).isBetween(0.04, 0.06);
        assertThat(Estimate.of(template, AURORA).perHour()).isGreaterThan(least.perHour() + 0.1);
        assertThat(most.perHour()).isBetween(0.6, 1.5);
        assertThat(most.text()).contains("EKS::Cluster", "USD per hour");
    }

    @Test
    void shouldRefuseWhatTheTemplateHasNot() {
        Template template = Template.shipped();

        assertThatThrownBy(() -> template.parts(Map.of("Store", "oracle")))
                .isInstanceOf(FsException.class)
                .hasMessageContaining("none, aurora, ndb");
        assertThatThrownBy(() -> template.parts(Map.of("Colour", "red"))).hasMessageContaining("Colour");
        assertThatThrownBy(() -> new StackChoice("Mine", "eu-north-1", null, Map.of(), Map.of()))
                .hasMessageContaining("lower-case");
        assertThatThrownBy(() -> new StackChoice("mine", "mars", null, Map.of(), Map.of()))
                .hasMessageContaining("no region");
    }
}
