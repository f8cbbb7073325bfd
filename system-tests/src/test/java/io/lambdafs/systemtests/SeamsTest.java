package io.lambdafs.systemtests;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each framework stays behind the interface that hides it, and shows in the signature of none. */
class SeamsTest {
    /** Packages whose public interfaces others implement or call. */
    private static final List<String> INTERFACE_PACKAGES = List.of(
            "rpc",
            "store",
            "coordinator",
            "platform",
            "functions",
            "client",
            "client.block",
            "client.http",
            "datanode.block",
            "deploy");

    @Test
    void shouldUseRocksDbOnlyInTheEmbeddedStore() {
        assertOnlyWithin("org.rocksdb..", List.of("store.embedded"));
    }

    @Test
    void shouldUseZooKeeperOnlyInItsCoordinator() {
        assertOnlyWithin("org.apache.zookeeper..", List.of("coordinator.zookeeper"));
        assertOnlyWithin("org.apache.curator..", List.of("coordinator.zookeeper"));
    }

    @Test
    void shouldUseHadoopOnlyInItsFaceAndInTools() {
        assertOnlyWithin("org.apache.hadoop..", List.of("hadoop", "door.hdfs", "benchmarks", "cli"));
    }

    @Test
    void shouldUseNettyOnlyWhereBytesAreMoved() {
        // Benchmarks set a bare exchange beside it.
        assertOnlyWithin("io.netty..", List.of("rpc", "benchmarks"));
    }

    @Test
    void shouldUseTheAwsSdkOnlyInItsBlockStoreItsClientAndItsPlatform() {
        assertOnlyWithin("software.amazon.awssdk..", List.of("datanode.s3", "client.lambda", "deploy.aws"));
    }

    @Test
    void shouldUseJibOnlyWhereImagesArePushed() {
        assertOnlyWithin("com.google.cloud.tools..", List.of("deploy.aws"));
    }

    @Test
    void shouldUseTheLibrariesOfOtherCloudsOnlyInTheirBlockStores() {
        assertOnlyWithin("com.azure..", List.of("datanode.cloud"));
        assertOnlyWithin("com.google.cloud.storage..", List.of("datanode.cloud"));
    }

    @Test
    void shouldUseBouncyCastleOnlyWhereCertificatesAreMade() {
        assertOnlyWithin("org.bouncycastle..", List.of("cluster"));
    }

    @Test
    void shouldUseTheKubernetesClientOnlyInItsPlatforms() {
        assertOnlyWithin("io.fabric8..", List.of("platform.kubernetes", "deploy.kubernetes"));
    }

    @Test
    void shouldUseOpenTelemetryOnlyInTracing() {
        assertOnlyWithin("io.opentelemetry..", List.of("rpc.tracing"));
    }

    @Test
    void shouldUseKryoNetOnlyInItsTransport() {
        assertOnlyWithin("com.esotericsoftware..", List.of("rpc.kryonet"));
    }

    @Test
    void shouldUseNdbOnlyInItsEngine() {
        assumeTrue(Code.hasNdb(), "NDB's engine is not compiled: CLUSTERJ_JAR does not name NDB's clusterj.jar");
        assertOnlyWithin("com.mysql..", List.of("store.ndb"));
    }

    @Test
    void shouldShowNoFrameworkInTheSignatureOfAnInterface() {
        boolean anySources =
                Stream.of(Room.RPC, Room.STORE, Room.COORDINATOR, Room.PLATFORM).anyMatch(Code::hasSources);

        signatureRule(Code.ROOT).allowEmptyShould(!anySources).check(Code.production());
    }

    @Test
    void shouldNoticeAFrameworkInASignature() {
        List<String> failures = signatureRule(Code.VIOLATIONS_ROOT)
                .evaluate(Code.violations())
                .getFailureReport()
                .getDetails();

        assertThat(failures).singleElement().asString().contains("SignatureThatShowsAFramework", "org.slf4j.Logger");
    }

    /** Fails where anything else uses the framework, and where one of these packages does not. */
    private static void assertOnlyWithin(String framework, List<String> allowed) {
        noClasses()
                .that(describe(
                        "outside of " + allowed, type -> allowed.stream().noneMatch(name -> isWithin(type, name))))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(framework)
                .check(Code.production());
        String prefix = framework.replace("..", ".");
        assertThat(allowed)
                .as("packages that use " + framework)
                .allMatch(name -> Code.production().stream()
                        .filter(type -> isWithin(type, name))
                        .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                        .anyMatch(dependency ->
                                dependency.getTargetClass().getName().startsWith(prefix)));
    }

    private static boolean isWithin(JavaClass type, String name) {
        return Room.isWithin(type.getPackageName(), Code.ROOT + "." + name);
    }

    private static ArchRule signatureRule(String root) {
        return methods()
                .that()
                .arePublic()
                .and()
                .areDeclaredInClassesThat(describe("public interfaces of a room", type -> isOpenInterface(root, type)))
                .should(nameOnlyOwnTypes());
    }

    private static boolean isOpenInterface(String root, JavaClass type) {
        return type.isInterface()
                && type.getModifiers().contains(JavaModifier.PUBLIC)
                && INTERFACE_PACKAGES.stream()
                        .anyMatch(name -> type.getPackageName().equals(root + "." + name));
    }

    private static ArchCondition<JavaMethod> nameOnlyOwnTypes() {
        return new ArchCondition<>("name only types of this project and of the JDK") {
            @Override
            public void check(JavaMethod method, ConditionEvents events) {
                for (JavaClass named : method.getAllInvolvedRawTypes()) {
                    if (!isOwn(named.getBaseComponentType())) {
                        String message = method.getFullName() + " names " + named.getName();
                        events.add(SimpleConditionEvent.violated(method, message));
                    }
                }
            }
        };
    }

    private static boolean isOwn(JavaClass type) {
        return type.isPrimitive()
                || type.getPackageName().startsWith("java.")
                || Room.isWithin(type.getPackageName(), Code.ROOT);
    }
}
