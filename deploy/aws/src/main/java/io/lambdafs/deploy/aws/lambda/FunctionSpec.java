package io.lambdafs.deploy.aws.lambda;

import io.lambdafs.deploy.FunctionsSpec;
import io.lambdafs.lambda.NameNodeHandler;
import io.lambdafs.platform.Json;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.lambda.model.Architecture;
import software.amazon.awssdk.services.lambda.model.CreateFunctionRequest;
import software.amazon.awssdk.services.lambda.model.FunctionConfiguration;
import software.amazon.awssdk.services.lambda.model.PackageType;
import software.amazon.awssdk.services.lambda.model.Runtime;
import software.amazon.awssdk.services.lambda.model.SnapStartApplyOn;
import software.amazon.awssdk.services.lambda.model.UpdateFunctionCodeRequest;
import software.amazon.awssdk.services.lambda.model.UpdateFunctionConfigurationRequest;

/**
 * The specification of one function. Immutable.
 *
 * @param role ARN
 * @param zip the code; null for an image
 */
@SuppressWarnings("ArrayRecordComponent") // Compared by its digest alone.
record FunctionSpec(
        FunctionsSpec wanted,
        LambdaOptions options,
        String name,
        String role,
        byte @Nullable [] zip,
        String codeSha256) {
    /** The tag that marks a function as a cluster's. */
    static final String CLUSTER_TAG = "lambdafs.io/cluster";

    private static final String SECRET = "LAMBDAFS_SECRET";
    private static final String HANDLER = NameNodeHandler.class.getName();

    Map<String, String> environment() {
        Map<String, String> variables = new TreeMap<>(wanted.environment());
        variables.put("LAMBDAFS_CONFIG", wanted.configuration());
        variables.put("LAMBDAFS_MODE", options.mode());
        variables.put("LAMBDAFS_DEPLOYMENT", name.substring(wanted.prefix().length()));
        if (zip != null) {
            // Options that Lambda's runtime does not set; Netty uses sun.misc.Unsafe.
            variables.put(
                    "JAVA_TOOL_OPTIONS", "--sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED");
        }
        if (wanted.secretFile() != null) {
            variables.put(SECRET, wanted.secret());
        }
        return variables;
    }

    CreateFunctionRequest creation() {
        CreateFunctionRequest.Builder request = CreateFunctionRequest.builder()
                .functionName(name)
                .description("λFS, a NameNode of the cluster " + wanted.cluster())
                .role(role)
                .memorySize(wanted.memoryMb())
                .timeout((int) wanted.timeout().toSeconds())
                .architectures(Architecture.fromValue(options.architecture()))
                .environment(variables -> variables.variables(environment()))
                .vpcConfig(vpc -> vpc.subnetIds(options.subnets()).securityGroupIds(options.securityGroups()))
                .snapStart(snapshot -> snapshot.applyOn(applyOn()))
                .tags(Map.of(CLUSTER_TAG, wanted.cluster()));
        if (!options.kmsKey().isEmpty()) {
            request.kmsKeyArn(options.kmsKey());
        }
        byte[] code = zip;
        return code == null
                ? request.packageType(PackageType.IMAGE)
                        .code(image -> image.imageUri(wanted.image()))
                        .build()
                : request.packageType(PackageType.ZIP)
                        .runtime(Runtime.JAVA25)
                        .handler(HANDLER)
                        .code(sent -> sent.zipFile(SdkBytes.fromByteArrayUnsafe(code)))
                        .build();
    }

    UpdateFunctionCodeRequest newCode() {
        UpdateFunctionCodeRequest.Builder request = UpdateFunctionCodeRequest.builder()
                .functionName(name)
                .architectures(Architecture.fromValue(options.architecture()));
        byte[] code = zip;
        return (code == null ? request.imageUri(wanted.image()) : request.zipFile(SdkBytes.fromByteArrayUnsafe(code)))
                .build();
    }

    UpdateFunctionConfigurationRequest newConfiguration() {
        return UpdateFunctionConfigurationRequest.builder()
                .functionName(name)
                .role(role)
                .memorySize(wanted.memoryMb())
                .timeout((int) wanted.timeout().toSeconds())
                .environment(variables -> variables.variables(environment()))
                .vpcConfig(vpc -> vpc.subnetIds(options.subnets()).securityGroupIds(options.securityGroups()))
                .snapStart(snapshot -> snapshot.applyOn(applyOn()))
                .kmsKeyArn(options.kmsKey())
                .build();
    }

    private SnapStartApplyOn applyOn() {
        return zip != null && options.snapStart() ? SnapStartApplyOn.PUBLISHED_VERSIONS : SnapStartApplyOn.NONE;
    }

    boolean hasCode(FunctionConfiguration found, String imageUri) {
        boolean sameKind = (zip == null) == (found.packageType() == PackageType.IMAGE);
        return sameKind && (zip == null ? wanted.image().equals(imageUri) : codeSha256.equals(found.codeSha256()));
    }

    boolean hasConfiguration(FunctionConfiguration found) {
        Set<String> subnets = found.vpcConfig() == null
                ? Set.of()
                : Set.copyOf(found.vpcConfig().subnetIds());
        Set<String> groups = found.vpcConfig() == null
                ? Set.of()
                : Set.copyOf(found.vpcConfig().securityGroupIds());
        Map<String, String> variables =
                found.environment() == null ? Map.of() : found.environment().variables();
        SnapStartApplyOn snapshots =
                found.snapStart() == null || found.snapStart().applyOn() == null
                        ? SnapStartApplyOn.NONE
                        : found.snapStart().applyOn();
        return role.equals(found.role())
                && wanted.memoryMb() == found.memorySize()
                && wanted.timeout().toSeconds() == found.timeout()
                && List.of(Architecture.fromValue(options.architecture())).equals(found.architectures())
                && environment().equals(new TreeMap<>(variables))
                && new TreeSet<>(options.subnets()).equals(new TreeSet<>(subnets))
                && new TreeSet<>(options.securityGroups()).equals(new TreeSet<>(groups))
                && applyOn() == snapshots
                && options.kmsKey().equals(found.kmsKeyArn() == null ? "" : found.kmsKeyArn());
    }

    /** Returns the manifest for people, without the secret and the code. */
    String manifest() {
        Map<String, String> shown = environment();
        shown.replace(SECRET, "(secret)");
        var tree = Json.object()
                .put("name", name)
                .put("role", role)
                .put("runtime", zip == null ? "image " + wanted.image() : Runtime.JAVA25.toString())
                .put("codeSha256", codeSha256)
                .put("architecture", options.architecture())
                .put("memoryMb", wanted.memoryMb())
                .put("timeoutSeconds", wanted.timeout().toSeconds())
                .put("snapStart", applyOn().toString())
                .put("alias", options.alias())
                .put("reservedConcurrency", options.reserved())
                .put("provisionedConcurrency", options.provisioned());
        options.subnets().forEach(tree.putArray("subnets")::add);
        options.securityGroups().forEach(tree.putArray("securityGroups")::add);
        shown.forEach(tree.putObject("environment")::put);
        return tree.toString();
    }
}
