// Synthesises lambdafs.template.json, one stack for any region and account whose parts are chosen by parameters, and bench.template.json.
'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');
const cdk = require('aws-cdk-lib');
const ec2 = require('aws-cdk-lib/aws-ec2');
const ecr = require('aws-cdk-lib/aws-ecr');
const eks = require('aws-cdk-lib/aws-eks');
const iam = require('aws-cdk-lib/aws-iam');
const kms = require('aws-cdk-lib/aws-kms');
const logs = require('aws-cdk-lib/aws-logs');
const rds = require('aws-cdk-lib/aws-rds');
const s3 = require('aws-cdk-lib/aws-s3');
const secrets = require('aws-cdk-lib/aws-secretsmanager');
const { Construct } = require('constructs');

const POSTGRES_PORT = 5432;
const NDB_MANAGEMENT_PORT = 1186;
const NDB_DATA_PORT = 2202;

/** Everything below it exists where the condition holds. */
class Optionally extends Construct {
  constructor(scope, id, condition) {
    super(scope, id);
    cdk.Aspects.of(this).add({
      visit(node) {
        if (node instanceof cdk.CfnResource || node instanceof cdk.CfnOutput) {
          (node.cfnOptions ?? node).condition = condition;
        }
      },
    });
  }
}

/** Two replicas, and room for store servers. */
function ndbConfiguration(manager, data) {
  return [
    '[ndbd default]',
    'NoOfReplicas=2',
    'ServerPort=' + NDB_DATA_PORT,
    'DataMemory=8G',
    'DataDir=/var/lib/ndb',
    '[ndb_mgmd]',
    'HostName=' + manager,
    'DataDir=/var/lib/ndb',
    ...data.flatMap((each) => ['[ndbd]', 'HostName=' + each]),
    ...Array(8).fill('[api]'),
  ];
}

class LambdaFs extends cdk.Stack {
  constructor(scope) {
    super(scope, 'lambdafs', {
      description: 'λFS: network, encrypted bucket, roles, and the store and platform that were chosen',
      synthesizer: new cdk.BootstraplessSynthesizer({}),
      analyticsReporting: false,
    });
    const choice = (id, values, description) =>
      new cdk.CfnParameter(this, id, { type: 'String', allowedValues: values, default: values[0], description });
    this.store = choice('Store', ['none', 'aurora', 'ndb'], 'Where the metadata is: Aurora PostgreSQL, or hosts for MySQL NDB Cluster');
    this.kubernetes = choice('Kubernetes', ['false', 'true'], 'An EKS cluster for gateway, instances, store servers and datanodes');
    const protection = choice('Protection', ['true', 'false'], 'Whether Aurora and the hosts of NDB refuse to be deleted');
    this.isProtected = cdk.Fn.conditionIf(this.when('IsProtected', protection, 'true').logicalId, true, false);
    this.endpoints = choice('Endpoints', ['false', 'true'], 'Interface endpoints: Lambda, logs, images and secrets without the NAT gateway');
    this.network();
    this.data();
    this.roles();
    this.aurora();
    this.ndb();
    this.eks();
  }

  when(id, parameter, value) {
    return new cdk.CfnCondition(this, id, { expression: cdk.Fn.conditionEquals(parameter.valueAsString, value) });
  }

  network() {
    this.vpc = new ec2.Vpc(this, 'Vpc', {
      ipAddresses: ec2.IpAddresses.cidr('10.42.0.0/16'),
      maxAzs: 2,
      natGateways: 1,
      restrictDefaultSecurityGroup: false,
      subnetConfiguration: [
        { name: 'public', subnetType: ec2.SubnetType.PUBLIC, cidrMask: 24, mapPublicIpOnLaunch: false },
        { name: 'private', subnetType: ec2.SubnetType.PRIVATE_WITH_EGRESS, cidrMask: 20 },
      ],
      gatewayEndpoints: { S3: { service: ec2.GatewayVpcEndpointAwsService.S3 } },
    });
    // EKS's and the load balancers' names for the subnets of what faces the world, and of what does not.
    this.vpc.publicSubnets.forEach((each) => cdk.Tags.of(each).add('kubernetes.io/role/elb', '1'));
    this.vpc.privateSubnets.forEach((each) => cdk.Tags.of(each).add('kubernetes.io/role/internal-elb', '1'));
    const group = (id, description) =>
      new ec2.SecurityGroup(this, id, { vpc: this.vpc, description, allowAllOutbound: true });
    this.functions = group('Functions', 'Functions on Lambda, and clients that instances dial');
    this.stores = group('Stores', 'Databases');
    this.functions.addIngressRule(this.functions, ec2.Port.allTcp(), 'connections back to clients');
    this.stores.addIngressRule(this.stores, ec2.Port.allTcp(), 'among themselves');
    const part = new Optionally(this, 'Interfaces', this.when('HasEndpoints', this.endpoints, 'true'));
    for (const [id, service] of [
      ['Lambda', ec2.InterfaceVpcEndpointAwsService.LAMBDA],
      ['Logs', ec2.InterfaceVpcEndpointAwsService.CLOUDWATCH_LOGS],
      ['Images', ec2.InterfaceVpcEndpointAwsService.ECR_DOCKER],
      ['Registry', ec2.InterfaceVpcEndpointAwsService.ECR],
      ['Secrets', ec2.InterfaceVpcEndpointAwsService.SECRETS_MANAGER],
    ]) {
      new ec2.InterfaceVpcEndpoint(part, id, { vpc: this.vpc, service, open: false, securityGroups: [this.interfaces(part)] });
    }
    this.output('VpcId', this.vpc.vpcId);
    this.output('PrivateSubnets', cdk.Fn.join(',', this.vpc.privateSubnets.map((each) => each.subnetId)));
    this.output('FunctionSecurityGroup', this.functions.securityGroupId);
    this.output('StoreSecurityGroup', this.stores.securityGroupId);
  }

  interfaces(part) {
    if (!this.interfaceGroup) {
      this.interfaceGroup = new ec2.SecurityGroup(part, 'Group', { vpc: this.vpc, description: 'Interface endpoints' });
      this.interfaceGroup.addIngressRule(ec2.Peer.ipv4(this.vpc.vpcCidrBlock), ec2.Port.tcp(443), 'HTTPS of this network');
    }
    return this.interfaceGroup;
  }

  data() {
    this.key = new kms.Key(this, 'Key', { description: 'λFS: blocks, metadata and variables', enableKeyRotation: true });
    this.bucket = new s3.Bucket(this, 'Blocks', {
      encryption: s3.BucketEncryption.KMS,
      encryptionKey: this.key,
      bucketKeyEnabled: true,
      blockPublicAccess: s3.BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      objectOwnership: s3.ObjectOwnership.BUCKET_OWNER_ENFORCED,
      lifecycleRules: [{ abortIncompleteMultipartUploadAfter: cdk.Duration.days(7) }],
      removalPolicy: cdk.RemovalPolicy.RETAIN,
    });
    this.images = new ecr.Repository(this, 'Repository', {
      repositoryName: cdk.Aws.STACK_NAME,
      imageScanOnPush: true,
      emptyOnDelete: true,
      removalPolicy: cdk.RemovalPolicy.DESTROY,
      // An image that runs has a tag, its digest.
      lifecycleRules: [{ tagStatus: ecr.TagStatus.UNTAGGED, maxImageAge: cdk.Duration.days(14) }],
    });
    const secret = new secrets.CfnSecret(this, 'Secret', {
      description: "λFS: the cluster's secret, 64 hexadecimal digits, from which its tokens are made",
      generateSecretString: { passwordLength: 64, excludePunctuation: true, excludeUppercase: true, excludeCharacters: 'ghijklmnopqrstuvwxyz' },
      kmsKeyId: this.key.keyArn,
    });
    this.output('ClusterSecret', secret.ref);
    this.output('BlockBucket', this.bucket.bucketName);
    this.output('KeyArn', this.key.keyArn);
    this.output('ImageRepository', this.images.repositoryUri);
  }

  roles() {
    const role = (id, principal, description, statements) => {
      const made = new iam.Role(this, id, { assumedBy: principal, description });
      made.attachInlinePolicy(new iam.Policy(this, id + 'Rights', { statements }));
      return made;
    };
    const allow = (actions, resources) => new iam.PolicyStatement({ actions, resources });
    const pods = new iam.SessionTagsPrincipal(new iam.ServicePrincipal('pods.eks.amazonaws.com'));
    this.datanode = role('Datanode', pods, 'Datanodes: the blocks of the bucket, and its key', [
      allow(['s3:GetObject', 's3:PutObject', 's3:DeleteObject', 's3:AbortMultipartUpload', 's3:ListMultipartUploadParts'], [
        this.bucket.arnForObjects('*'),
      ]),
      allow(['s3:ListBucket', 's3:ListBucketMultipartUploads'], [this.bucket.bucketArn]),
      allow(['kms:Decrypt', 'kms:GenerateDataKey'], [this.key.keyArn]),
    ]);
    const logs = `arn:${cdk.Aws.PARTITION}:logs:${cdk.Aws.REGION}:${cdk.Aws.ACCOUNT_ID}:log-group:/aws/lambda/${cdk.Aws.STACK_NAME}-nn*`;
    this.function = role('FunctionRole', new iam.ServicePrincipal('lambda.amazonaws.com'), 'Functions: their logs, and a network interface', [
      allow(['logs:CreateLogGroup', 'logs:CreateLogStream', 'logs:PutLogEvents'], [logs, logs + ':*']),
      // An interface is nobody's before it is made: these cannot name one.
      allow(['ec2:CreateNetworkInterface', 'ec2:DescribeNetworkInterfaces', 'ec2:DescribeSubnets', 'ec2:DeleteNetworkInterface'], ['*']),
      allow(['kms:Decrypt'], [this.key.keyArn]),
    ]);
    this.output('DatanodeRole', this.datanode.roleArn);
    this.output('FunctionRoleArn', this.function.roleArn);
  }

  aurora() {
    const part = new Optionally(this, 'Aurora', this.when('HasAurora', this.store, 'aurora'));
    const cluster = new rds.DatabaseCluster(part, 'Database', {
      engine: rds.DatabaseClusterEngine.auroraPostgres({ version: rds.AuroraPostgresEngineVersion.VER_17_7 }),
      credentials: rds.Credentials.fromGeneratedSecret('lambdafs', { encryptionKey: this.key }),
      defaultDatabaseName: 'lambdafs',
      writer: rds.ClusterInstance.serverlessV2('writer'),
      readers: [rds.ClusterInstance.serverlessV2('reader', { scaleWithWriter: true })],
      serverlessV2MinCapacity: 0.5,
      serverlessV2MaxCapacity: 16,
      storageEncryptionKey: this.key,
      vpc: this.vpc,
      vpcSubnets: { subnetType: ec2.SubnetType.PRIVATE_WITH_EGRESS },
      securityGroups: [this.stores],
      backup: { retention: cdk.Duration.days(7) },
      removalPolicy: cdk.RemovalPolicy.SNAPSHOT,
    });
    cluster.node.defaultChild.deletionProtection = this.isProtected;
    this.output('DatabaseEndpoint', cluster.clusterEndpoint.hostname, part);
    this.output('DatabaseSecret', cluster.secret.secretArn, part);
  }

  ndb() {
    const type = new cdk.CfnParameter(this, 'NdbInstanceType', { type: 'String', default: 'r6i.large', description: 'Of NDB hosts: two with data, one that manages' });
    const part = new Optionally(this, 'Ndb', this.when('HasNdb', this.store, 'ndb'));
    const role = new iam.Role(part, 'Role', {
      assumedBy: new iam.ServicePrincipal('ec2.amazonaws.com'),
      managedPolicies: [iam.ManagedPolicy.fromAwsManagedPolicyName('AmazonSSMManagedInstanceCore')],
    });
    role.attachInlinePolicy(
      new iam.Policy(part, 'Rights', {
        statements: [
          new iam.PolicyStatement({ actions: ['s3:GetObject'], resources: [this.bucket.arnForObjects('setup/ndb/*')] }),
          new iam.PolicyStatement({
            actions: ['s3:ListBucket'],
            resources: [this.bucket.bucketArn],
            conditions: { StringLike: { 's3:prefix': 'setup/ndb/*' } },
          }),
          new iam.PolicyStatement({ actions: ['kms:Decrypt'], resources: [this.key.keyArn] }),
        ],
      }),
    );
    const image = ec2.MachineImage.fromSsmParameter('/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-default-x86_64');
    // Each is told the others' addresses, so these are chosen here: hosts that name each other could not be made one after the other.
    const hosts = [
      { name: 'Manager', subnet: 0, address: '10.42.16.10' },
      { name: 'Data1', subnet: 0, address: '10.42.16.11' },
      { name: 'Data2', subnet: 1, address: '10.42.32.12' },
    ];
    const [manager, ...data] = hosts.map((each) => each.address);
    // No name of its own: two stacks of a region would both have it.
    const template = new ec2.CfnLaunchTemplate(part, 'Template', { launchTemplateData: { metadataOptions: { httpTokens: 'required' } } });
    for (const { name, subnet, address } of hosts) {
      const isManager = address === manager;
      const userData = ec2.UserData.forLinux();
      userData.addCommands(
        'set -eu',
        '# MySQL NDB Cluster is in no registry: its tar.gz is put into the bucket once, and every host waits for it.',
        `until aws s3 ls s3://${this.bucket.bucketName}/setup/ndb/mysql-cluster.tar.gz; do sleep 10; done`,
        'mkdir -p /opt/ndb /var/lib/ndb',
        `aws s3 cp s3://${this.bucket.bucketName}/setup/ndb/mysql-cluster.tar.gz - | tar -xz -C /opt/ndb --strip-components=1`,
        ...(isManager ? ['cat > /etc/ndb.ini <<END', ...ndbConfiguration(manager, data), 'END'] : []),
        'cat > /etc/systemd/system/ndb.service <<END',
        '[Unit]',
        'Wants=network-online.target',
        'After=network-online.target',
        '[Service]',
        isManager
          ? 'ExecStart=/opt/ndb/bin/ndb_mgmd --nodaemon --config-file=/etc/ndb.ini --config-dir=/var/lib/ndb'
          : `ExecStart=/opt/ndb/bin/ndbmtd --nodaemon --ndb-connectstring=${manager}`,
        'Restart=always',
        'RestartSec=5',
        '[Install]',
        'WantedBy=multi-user.target',
        'END',
        'systemctl enable --now ndb',
      );
      const host = new ec2.Instance(part, name, {
        vpc: this.vpc,
        vpcSubnets: { subnets: [this.vpc.privateSubnets[subnet]] },
        privateIpAddress: address,
        instanceType: new ec2.InstanceType(type.valueAsString),
        machineImage: image,
        securityGroup: this.stores,
        role,
        userData,
        blockDevices: [{ deviceName: '/dev/xvda', volume: ec2.BlockDeviceVolume.ebs(50, { encrypted: true, volumeType: ec2.EbsDeviceVolumeType.GP3 }) }],
      });
      host.instance.disableApiTermination = this.isProtected;
      host.instance.launchTemplate = { launchTemplateId: template.ref, version: template.attrLatestVersionNumber };
    }
    this.output('NdbConnect', `${manager}:${NDB_MANAGEMENT_PORT}`, part);
    this.output('NdbPackage', `s3://${this.bucket.bucketName}/setup/ndb/mysql-cluster.tar.gz`, part);
  }

  eks() {
    const version = new cdk.CfnParameter(this, 'KubernetesVersion', { type: 'String', default: '1.35' });
    const apiRange = new cdk.CfnParameter(this, 'ApiRange', { type: 'String', default: '', description: "Of addresses outside the network that may reach Kubernetes' API, as 192.0.2.7/32; empty for none" });
    const isPublic = new cdk.CfnCondition(this, 'HasApiRange', { expression: cdk.Fn.conditionNot(cdk.Fn.conditionEquals(apiRange.valueAsString, '')) });
    const type = new cdk.CfnParameter(this, 'NodeInstanceType', { type: 'String', default: 'm6i.large' });
    const part = new Optionally(this, 'Eks', this.when('HasKubernetes', this.kubernetes, 'true'));
    const managed = (...names) => names.map((each) => iam.ManagedPolicy.fromAwsManagedPolicyName(each));
    const control = new iam.Role(part, 'ControlRole', {
      assumedBy: new iam.ServicePrincipal('eks.amazonaws.com'),
      managedPolicies: managed('AmazonEKSClusterPolicy'),
    });
    const nodes = new iam.Role(part, 'NodeRole', {
      assumedBy: new iam.ServicePrincipal('ec2.amazonaws.com'),
      managedPolicies: managed('AmazonEKSWorkerNodePolicy', 'AmazonEKS_CNI_Policy', 'AmazonEC2ContainerRegistryPullOnly'),
    });
    const subnetIds = this.vpc.privateSubnets.map((each) => each.subnetId);
    const cluster = new eks.CfnCluster(part, 'Cluster', {
      name: cdk.Aws.STACK_NAME,
      version: version.valueAsString,
      roleArn: control.roleArn,
      accessConfig: { authenticationMode: 'API', bootstrapClusterCreatorAdminPermissions: true },
      encryptionConfig: [{ provider: { keyArn: this.key.keyArn }, resources: ['secrets'] }],
      logging: { clusterLogging: { enabledTypes: ['api', 'audit', 'authenticator'].map((type) => ({ type })) } },
      resourcesVpcConfig: {
        subnetIds,
        endpointPrivateAccess: true,
        endpointPublicAccess: cdk.Fn.conditionIf(isPublic.logicalId, true, false),
        publicAccessCidrs: cdk.Fn.conditionIf(isPublic.logicalId, [apiRange.valueAsString], cdk.Aws.NO_VALUE),
      },
    });
    // EKS would make the group itself, and keep it for ever.
    cluster.addResourceDependency(
      new logs.CfnLogGroup(part, 'ControlLogs', { logGroupName: `/aws/eks/${cdk.Aws.STACK_NAME}/cluster`, retentionInDays: 30 }),
    );
    this.pods(part, cluster.attrClusterSecurityGroupId);
    const group = new eks.CfnNodegroup(part, 'Nodes', {
      clusterName: cluster.ref,
      nodeRole: nodes.roleArn,
      subnets: subnetIds,
      instanceTypes: [type.valueAsString],
      scalingConfig: { minSize: 1, desiredSize: 2, maxSize: 8 },
    });
    const volumes = new iam.Role(part, 'VolumesRole', {
      assumedBy: new iam.SessionTagsPrincipal(new iam.ServicePrincipal('pods.eks.amazonaws.com')),
      managedPolicies: managed('service-role/AmazonEBSCSIDriverPolicy'),
    });
    for (const name of ['vpc-cni', 'kube-proxy', 'coredns', 'eks-pod-identity-agent', 'aws-ebs-csi-driver']) {
      const addon = new eks.CfnAddon(part, 'Addon' + name.replace(/(^|-)(.)/g, (m, dash, letter) => letter.toUpperCase()), {
        clusterName: cluster.ref,
        addonName: name,
        resolveConflicts: 'OVERWRITE',
        ...(name === 'aws-ebs-csi-driver' && {
          configurationValues: JSON.stringify({ defaultStorageClass: { enabled: true } }),
          podIdentityAssociations: [{ roleArn: volumes.roleArn, serviceAccount: 'ebs-csi-controller-sa' }],
        }),
      });
      if (name === 'coredns' || name === 'aws-ebs-csi-driver') {
        addon.addResourceDependency(group);
      }
    }
    new eks.CfnPodIdentityAssociation(part, 'DatanodeIdentity', {
      clusterName: cluster.ref,
      namespace: 'lambdafs',
      serviceAccount: 'lambdafs-datanode',
      roleArn: this.datanode.roleArn,
    });
    this.output('KubernetesCluster', cluster.ref, part);
  }

  /** Pods have the security group that EKS makes for the cluster and its nodes, and no other. */
  pods(part, group) {
    const allow = (id, to, from, low, high, description) =>
      new ec2.CfnSecurityGroupIngress(part, id, { groupId: to, sourceSecurityGroupId: from, ipProtocol: 'tcp', fromPort: low, toPort: high, description });
    const functions = this.functions.securityGroupId;
    const stores = this.stores.securityGroupId;
    allow('PodsToPostgres', stores, group, POSTGRES_PORT, POSTGRES_PORT, 'Store servers to Aurora');
    allow('PodsToNdb', stores, group, NDB_MANAGEMENT_PORT, NDB_MANAGEMENT_PORT, 'Store servers to the management node of NDB');
    allow('PodsToNdbData', stores, group, NDB_DATA_PORT, NDB_DATA_PORT, 'Store servers to the data nodes of NDB');
    allow('PodsToClients', functions, group, 1024, 65535, 'Connections of instances to clients');
    allow('ClientsToPods', group, functions, 1024, 65535, 'Clients and functions to gateway, store servers and datanodes');
    // The addresses of this network, because a load balancer may hide the group of a caller.
    new ec2.CfnSecurityGroupIngress(part, 'NetworkToNodePorts', {
      groupId: group,
      cidrIp: this.vpc.vpcCidrBlock,
      ipProtocol: 'tcp',
      fromPort: 30000,
      toPort: 32767,
      description: 'Internal load balancers, and callers through them',
    });
    this.output('PodSecurityGroup', group, part);
  }

  output(id, value, scope = this) {
    new cdk.CfnOutput(scope, id, { value }).overrideLogicalId(id);
  }
}

const WORKERS = 8;

/** The paper's eight workers: each replays its part of a load on a cluster, puts its report into the bucket, and ends. */
class Bench extends cdk.Stack {
  constructor(scope) {
    super(scope, 'bench', {
      description: 'λFS: eight machines that replay a load, for the time',
      synthesizer: new cdk.BootstraplessSynthesizer({}),
      analyticsReporting: false,
    });
    const text = (id, description, more = {}) => new cdk.CfnParameter(this, id, { type: 'String', description, ...more }).valueAsString;
    const subnets = new cdk.CfnParameter(this, 'Subnets', { type: 'CommaDelimitedList', description: 'Private ones of the cluster' }).valueAsList;
    const group = text('SecurityGroup', 'That of functions and clients');
    const bucket = text('Bucket', 'Where program and reports lie');
    const key = text('KeyArn', 'The key of the bucket');
    const run = text('Run', 'Names this run', { allowedPattern: '[a-z0-9-]+' });
    const type = text('InstanceType', 'Of a worker', { default: 'r5.4xlarge' });
    const load = text('Arguments', 'Of lambdafs replay', { default: '--profile spotify --base-ops 3125 --seconds 300' });
    const role = new iam.Role(this, 'Role', { assumedBy: new iam.ServicePrincipal('ec2.amazonaws.com') });
    const objects = `arn:${cdk.Aws.PARTITION}:s3:::${bucket}`;
    const allow = (actions, resources, conditions) => new iam.PolicyStatement({ actions, resources, conditions });
    role.attachInlinePolicy(
      new iam.Policy(this, 'Rights', {
        statements: [
          allow(['s3:GetObject'], [`${objects}/setup/bench/${run}/*`]),
          allow(['s3:ListBucket'], [objects], { StringLike: { 's3:prefix': `setup/bench/${run}/*` } }),
          allow(['s3:PutObject'], [`${objects}/reports/${run}/*`]),
          allow(['kms:Decrypt', 'kms:GenerateDataKey'], [key]),
        ],
      }),
    );
    const profile = new iam.CfnInstanceProfile(this, 'Profile', { roles: [role.roleName] });
    const image = ec2.MachineImage.fromSsmParameter('/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-default-x86_64').getImage(this).imageId;
    const template = new ec2.CfnLaunchTemplate(this, 'Template', {
      launchTemplateData: {
        instanceInitiatedShutdownBehavior: 'terminate',
        metadataOptions: { httpTokens: 'required' },
        blockDeviceMappings: [{ deviceName: '/dev/xvda', ebs: { volumeSize: 20, volumeType: 'gp3', encrypted: true } }],
      },
    });
    for (let i = 0; i < WORKERS; i++) {
      const lines = [
        '#!/bin/bash',
        'export HOME=/root',
        'cd /root && mkdir -p report cluster program',
        'work() {',
        '  set -e',
        '  dnf -q -y install java-21-amazon-corretto-headless',
        `  aws s3 cp s3://${bucket}/setup/bench/${run}/lambdafs.tar.gz - | tar -xz -C program --strip-components=1`,
        `  aws s3 cp --recursive s3://${bucket}/setup/bench/${run}/cluster cluster`,
        '  chmod -R go= cluster',
        `  program/bin/lambdafs replay --dir cluster --report report --json ${load} > report/result.json`,
        '}',
        '(work) > report/log 2>&1',
        'echo $? > exit',
        `aws s3 cp --recursive report s3://${bucket}/reports/${run}/worker-${i}`,
        `aws s3 cp exit s3://${bucket}/reports/${run}/worker-${i}/exit`,
        'shutdown -h now',
      ];
      const worker = new ec2.CfnInstance(this, 'Worker' + i, {
        launchTemplate: { launchTemplateId: template.ref, version: template.attrLatestVersionNumber },
        imageId: image,
        instanceType: type,
        iamInstanceProfile: profile.ref,
        securityGroupIds: [group],
        subnetId: cdk.Fn.select(i % 2, subnets),
        userData: cdk.Fn.base64(lines.join('\n')),
      });
      worker.node.addDependency(role);
    }
  }
}

const out = fs.mkdtempSync(path.join(os.tmpdir(), 'lambdafs-cdk-'));
const app = new cdk.App({ outdir: out, treeMetadata: false });
new LambdaFs(app);
new Bench(app);
app.synth();
const folder = process.argv[2] ?? __dirname;
for (const name of ['lambdafs', 'bench']) {
  const template = JSON.parse(fs.readFileSync(path.join(out, name + '.template.json'), 'utf8'));
  const target = path.join(folder, name + '.template.json');
  fs.writeFileSync(target, JSON.stringify(template, null, 1) + '\n');
  console.log(`${target}: ${Object.keys(template.Resources).length} resources`);
}
fs.rmSync(out, { recursive: true });
