package io.lambdafs.deploy.aws.lambda;

import io.lambdafs.deploy.Change;
import io.lambdafs.deploy.Undo;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import software.amazon.awssdk.services.iam.IamClient;
import software.amazon.awssdk.services.iam.model.NoSuchEntityException;
import software.amazon.awssdk.services.iam.model.Role;
import software.amazon.awssdk.services.iam.model.Tag;

/**
 * The default role of a cluster's functions, which may write logs and have a network interface in a VPC. Confined to
 * one thread.
 */
final class FunctionRole {
    private static final String ROLE = "role";
    private static final String POLICY = "lambdafs";
    private static final String TRUST =
            "{\"Version\":\"2012-10-17\",\"Statement\":[{\"Effect\":\"Allow\",\"Principal\":"
                    + "{\"Service\":\"lambda.amazonaws.com\"},\"Action\":\"sts:AssumeRole\"}]}";

    private final IamClient iam;
    private final String partition;

    /** @param partition of the region, with which ARNs begin: {@code aws}, {@code aws-cn}, {@code aws-us-gov} */
    FunctionRole(IamClient iam, String partition) {
        this.iam = iam;
        this.partition = partition;
    }

    static String name(String cluster) {
        return cluster + "-lambdafs-function";
    }

    /**
     * Returns rights to the logs of these functions alone, and to any network interface: its id is unknown before its
     * creation.
     */
    private String policy(String cluster, boolean inVpc) {
        String logs =
                "{\"Effect\":\"Allow\",\"Action\":[\"logs:CreateLogGroup\",\"logs:CreateLogStream\",\"logs:PutLogEvents\"],"
                        + "\"Resource\":\"arn:" + partition + ":logs:*:*:log-group:/aws/lambda/" + cluster + "-nn*\"}";
        String network =
                ",{\"Effect\":\"Allow\",\"Action\":[\"ec2:CreateNetworkInterface\",\"ec2:DescribeNetworkInterfaces\","
                        + "\"ec2:DescribeSubnets\",\"ec2:DeleteNetworkInterface\",\"ec2:AssignPrivateIpAddresses\","
                        + "\"ec2:UnassignPrivateIpAddresses\"],\"Resource\":\"*\"}";
        return "{\"Version\":\"2012-10-17\",\"Statement\":[" + logs + (inVpc ? network : "") + "]}";
    }

    Optional<Role> find(String cluster) {
        try {
            return Optional.of(
                    iam.getRole(asked -> asked.roleName(name(cluster))).role());
        } catch (NoSuchEntityException none) {
            return Optional.empty();
        }
    }

    static boolean isOf(String cluster, Role role) {
        return role.tags().stream()
                .anyMatch(tag -> tag.key().equals(FunctionSpec.CLUSTER_TAG)
                        && tag.value().equals(cluster));
    }

    Change put(String cluster, boolean inVpc, boolean dryRun, Undo undo) {
        Optional<Role> found = find(cluster);
        String name = name(cluster);
        String policy = policy(cluster, inVpc);
        if (found.isPresent() && policy.equals(written(name))) {
            return new Change(Change.Kind.UNCHANGED, ROLE, name, policy);
        }
        if (!dryRun) {
            if (found.isEmpty()) {
                iam.createRole(asked -> asked.roleName(name)
                        .assumeRolePolicyDocument(TRUST)
                        .tags(Tag.builder()
                                .key(FunctionSpec.CLUSTER_TAG)
                                .value(cluster)
                                .build()));
                undo.add(() -> delete(cluster));
            }
            iam.putRolePolicy(asked -> asked.roleName(name).policyName(POLICY).policyDocument(policy));
        }
        return new Change(found.isPresent() ? Change.Kind.UPDATED : Change.Kind.CREATED, ROLE, name, policy);
    }

    private String written(String role) {
        try {
            String document = iam.getRolePolicy(asked -> asked.roleName(role).policyName(POLICY))
                    .policyDocument();
            return URLDecoder.decode(document, StandardCharsets.UTF_8);
        } catch (NoSuchEntityException none) {
            return "";
        }
    }

    /** Removes the role with its rights. */
    List<Change> remove(String cluster, boolean dryRun) {
        Optional<Role> found = find(cluster);
        if (found.isEmpty() || !isOf(cluster, found.get())) {
            return List.of();
        }
        if (!dryRun) {
            delete(cluster);
        }
        return List.of(new Change(Change.Kind.REMOVED, ROLE, name(cluster), ""));
    }

    private void delete(String cluster) {
        String name = name(cluster);
        iam.listRolePolicies(asked -> asked.roleName(name))
                .policyNames()
                .forEach(policy ->
                        iam.deleteRolePolicy(asked -> asked.roleName(name).policyName(policy)));
        iam.deleteRole(asked -> asked.roleName(name));
    }
}
