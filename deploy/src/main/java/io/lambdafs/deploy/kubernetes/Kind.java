package io.lambdafs.deploy.kubernetes;

import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;

/**
 * A kind of object in a namespace.
 *
 * @param group empty for the core
 * @param plural its name in the API's paths
 */
record Kind(String group, String version, String kind, String plural) {
    static final Kind CONFIG_MAP = new Kind("", "v1", "ConfigMap", "configmaps");
    static final Kind SECRET = new Kind("", "v1", "Secret", "secrets");
    static final Kind SERVICE = new Kind("", "v1", "Service", "services");
    static final Kind SERVICE_ACCOUNT = new Kind("", "v1", "ServiceAccount", "serviceaccounts");
    static final Kind ROLE = new Kind("rbac.authorization.k8s.io", "v1", "Role", "roles");
    static final Kind ROLE_BINDING = new Kind("rbac.authorization.k8s.io", "v1", "RoleBinding", "rolebindings");
    static final Kind DEPLOYMENT = new Kind("apps", "v1", "Deployment", "deployments");
    static final Kind KNATIVE_SERVICE = new Kind("serving.knative.dev", "v1", "Service", "services");

    ResourceDefinitionContext context() {
        return new ResourceDefinitionContext.Builder()
                .withGroup(group)
                .withVersion(version)
                .withKind(kind)
                .withPlural(plural)
                .withNamespaced(true)
                .build();
    }

    String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /** Returns its name as {@code kubectl} writes it. */
    String label() {
        return group.isEmpty() ? plural : plural + "." + group;
    }
}
