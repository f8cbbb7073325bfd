{{- /* A value as text, whatever YAML or --set took it for: a tag of digits is no number. */ -}}
{{- define "lambdafs.text" -}}
{{- if kindIs "float64" . }}{{ if eq (floor .) . }}{{ int64 . }}{{ else }}{{ . }}{{ end }}{{ else if not (kindIs "invalid" .) }}{{ . }}{{ end }}
{{- end }}

{{- /* A map whose values are text, as JSON: labels, annotations, a node selector. */ -}}
{{- define "lambdafs.texts" -}}
{{- $all := dict }}{{ range $key, $value := . }}{{ $_ := set $all $key (include "lambdafs.text" $value) }}{{ end }}{{ toJson $all }}
{{- end }}

{{- /* The beginning of every name: 37 characters, so that a StatefulSet's pods can carry its name in a label. */ -}}
{{- define "lambdafs.fullname" -}}
{{- $chart := include "lambdafs.name" . -}}
{{- $name := .Values.fullnameOverride | default (contains $chart .Release.Name | ternary .Release.Name (printf "%s-%s" .Release.Name $chart)) -}}
{{- if not (regexMatch "^[a-z]([-a-z0-9]*[a-z0-9])?$" $name) }}{{ fail (printf "%q is no name of a Service, which begins with a letter and has letters, digits and hyphens: give the release another name, or set fullnameOverride" $name) }}{{ end -}}
{{- $name | trunc 37 | trimSuffix "-" }}
{{- end }}

{{- define "lambdafs.name" -}}
{{ .Values.nameOverride | default .Chart.Name }}
{{- end }}

{{- define "lambdafs.selector" -}}
app.kubernetes.io/name: {{ include "lambdafs.name" . }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end }}

{{- define "lambdafs.labels" -}}
{{ include "lambdafs.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{- /* What every object begins with: list of the context, its name behind the common part, and its component or "". */ -}}
{{- define "lambdafs.metadata" -}}
{{- $root := index . 0 -}}
name: {{ include "lambdafs.fullname" $root }}{{ index . 1 }}
labels:
  {{- include "lambdafs.labels" $root | nindent 2 }}
  {{- with index . 2 }}
  app.kubernetes.io/component: {{ . }}
  {{- end }}
{{- end }}

{{- /* Which pods: list of the context and the component. */ -}}
{{- define "lambdafs.podsOf" -}}
{{ include "lambdafs.selector" (index . 0) }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{- /* An image with the registry of a parent chart, in place of the one that it names: list of the context and the image. */ -}}
{{- define "lambdafs.mirrored" -}}
{{- $registry := ((index . 0).Values.global).imageRegistry -}}
{{- if $registry }}{{ trimSuffix "/" $registry }}/{{ regexReplaceAll "^([^/]*[.:][^/]*|localhost)/" (index . 1) "" }}{{ else }}{{ index . 1 }}{{ end }}
{{- end }}

{{- define "lambdafs.image" -}}
{{- $tag := include "lambdafs.text" .Values.image.tag | default .Chart.AppVersion -}}
{{- include "lambdafs.mirrored" (list . (not (empty .Values.image.digest) | ternary (printf "%s@%s" .Values.image.repository .Values.image.digest) (printf "%s:%s" .Values.image.repository $tag))) }}
{{- end }}

{{- define "lambdafs.secret" -}}
{{ include "lambdafs.text" .Values.secrets.existing | default (include "lambdafs.fullname" .) }}
{{- end }}

{{- /* Where the gateway listens: at the port that clients dial, because its proof of the key names it. */ -}}
{{- define "lambdafs.gatewayPort" -}}
{{ regexFind ":[0-9]+/?$" .Values.clients.gateway | trimAll ":/" | default .Values.gateway.service.port }}
{{- end }}

{{- /* Where clients find the gateway. */ -}}
{{- define "lambdafs.url" -}}
{{ .Values.clients.gateway | default (printf "%s://%s-gateway.%s.svc:%d" (ternary "https" "http" .Values.tls.enabled) (include "lambdafs.fullname" .) .Release.Namespace (int .Values.gateway.service.port)) }}
{{- end }}

{{- /* Where instances and datanodes find the store servers: each has an address that stays. */ -}}
{{- define "lambdafs.stores" -}}
{{- $name := include "lambdafs.fullname" . -}}
{{- if eq .Values.store.engine "embedded" }}{{ $name }}-store:7000{{ else }}
{{- range $i := until (int .Values.store.servers) }}{{ if $i }},{{ end }}{{ $name }}-store-{{ $i }}:7000{{ end }}
{{- end }}
{{- end }}

{{- define "lambdafs.servers" -}}
{{ ternary 1 (int .Values.store.servers) (eq .Values.store.engine "embedded") }}
{{- end }}

{{- define "lambdafs.ndb" -}}
{{ .Values.store.ndb.connect | default (printf "%s-ndb:1186" (include "lambdafs.fullname" .)) }}
{{- end }}

{{- define "lambdafs.ndbImage" -}}
{{ include "lambdafs.mirrored" (list . .Values.store.ndb.image) }}
{{- end }}

{{- define "lambdafs.ownNdb" -}}
{{ if and (eq .Values.store.engine "ndb") (not .Values.store.ndb.connect) }}yes{{ end }}
{{- end }}

{{- define "lambdafs.tls" -}}
{{ include "lambdafs.text" .Values.tls.existing | default (printf "%s-tls" (include "lambdafs.fullname" .)) }}
{{- end }}

{{- /* A probe's page: list of the context, the path and the name of the port. */ -}}
{{- define "lambdafs.page" -}}
{path: {{ index . 1 }}, port: {{ index . 2 }}{{ if (index . 0).Values.tls.enabled }}, scheme: HTTPS{{ end }}}
{{- end }}

{{- /* Settings of a role's pods, its own before those of all: list of the context and the role's values. */ -}}
{{- define "lambdafs.pod" -}}
{{- $all := pick (index . 0).Values "podAnnotations" "podLabels" "extraEnv" "extraVolumes" "extraVolumeMounts" "affinity" "tolerations" "nodeSelector" "priorityClassName" "topologySpreadConstraints" -}}
{{- merge (deepCopy ((index . 1).pod | default dict)) $all | toJson }}
{{- end }}

{{- /* The metadata of a pod: list of the context, its component, the role's values, and labels and annotations of the chart's own, if any. */ -}}
{{- define "lambdafs.podMetadata" -}}
{{- $root := index . 0 -}}
{{- $pod := include "lambdafs.pod" (list $root (index . 2)) | fromJson -}}
{{- $own := (gt (len .) 3) | ternary (last .) dict -}}
{{- $labels := merge (include "lambdafs.labels" $root | fromYaml) (dict "app.kubernetes.io/component" (index . 1)) ($own.labels | default dict) -}}
{{- $annotations := merge ($own.annotations | default dict) (include "lambdafs.texts" $pod.podAnnotations | fromJson) -}}
labels:
  {{- merge $labels (include "lambdafs.texts" $pod.podLabels | fromJson) | toYaml | nindent 2 }}
{{- with $annotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- /* As whom and where a pod runs: list of the context, its component and the role's values. Replicas are spread over nodes. */ -}}
{{- define "lambdafs.podSpec" -}}
{{- $root := index . 0 -}}
{{- $values := $root.Values -}}
{{- $pod := include "lambdafs.pod" (list $root (index . 2)) | fromJson -}}
{{- $user := include "lambdafs.text" $values.runAs -}}
{{- with include "lambdafs.serviceAccount" (list $root (index . 1)) }}
serviceAccountName: {{ . }}
{{- end }}
automountServiceAccountToken: {{ eq (index . 1) "gateway" }}
enableServiceLinks: false
securityContext:
  runAsNonRoot: {{ ne $user "0" }}
  {{- if $user }}
  runAsUser: {{ $user }}
  runAsGroup: {{ $user }}
  {{- if ne $user "0" }}
  fsGroup: {{ $user }}
  fsGroupChangePolicy: OnRootMismatch
  {{- end }}
  {{- end }}
  seccompProfile: {type: RuntimeDefault}
{{- $secrets := list }}
{{- range concat (($values.global).imagePullSecrets | default list) $values.imagePullSecrets }}
{{- $secrets = append $secrets (dict "name" (kindIs "map" . | ternary (get (kindIs "map" . | ternary . dict) "name") (include "lambdafs.text" .))) }}
{{- end }}
{{- with $secrets }}
imagePullSecrets: {{ toJson . }}
{{- end }}
{{- with $pod.nodeSelector }}
nodeSelector: {{ include "lambdafs.texts" . }}
{{- end }}
{{- with $pod.affinity }}
affinity: {{ toJson . }}
{{- end }}
{{- with $pod.tolerations }}
tolerations: {{ toJson . }}
{{- end }}
{{- with $pod.priorityClassName }}
priorityClassName: {{ include "lambdafs.text" . | quote }}
{{- end }}
{{- if $pod.topologySpreadConstraints }}
topologySpreadConstraints: {{ toJson $pod.topologySpreadConstraints }}
{{- else if has (index . 1) (list "gateway" "store" "datanode" "ndb-data") }}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "lambdafs.podsOf" (list $root (index . 1)) | nindent 8 }}
{{- end }}
{{- end }}

{{- /* The account that a component's pods run under; empty for the namespace's: list of the context and the component. */ -}}
{{- define "lambdafs.serviceAccount" -}}
{{- $values := (index . 0).Values -}}
{{- $role := get (dict "format" "tools" "backup" "tools" "restore" "tools" "test" "tools") (index . 1) | default (index . 1) -}}
{{- $own := include "lambdafs.text" ((index $values $role).serviceAccount).name -}}
{{- if $own }}{{ $own }}
{{- else if has $role (list "gateway" "instance" "store" "datanode") }}{{ include "lambdafs.fullname" (index . 0) }}-{{ $role }}
{{- else if and (eq $role "tools") $values.datanode.enabled }}{{ include "lambdafs.serviceAccount" (list (index . 0) "datanode") }}
{{- end }}
{{- end }}

{{- /* What every container begins with: list of the context, the image and its resources. */ -}}
{{- define "lambdafs.container" -}}
image: {{ index . 1 | quote }}
imagePullPolicy: {{ (index . 0).Values.image.pullPolicy }}
resources: {{ toJson (index . 2) }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
{{- end }}

{{- /* The items of a list that a role's pods have beside the chart's own, its values as text: list of the context, the role's values and the list's name. */ -}}
{{- define "lambdafs.extra" -}}
{{- range get (include "lambdafs.pod" (list (index . 0) (index . 1)) | fromJson) (index . 2) }}
{{- if hasKey . "value" }}{{ $_ := set . "value" (include "lambdafs.text" .value) }}{{ end }}
- {{ toJson . }}
{{- end }}
{{- end }}

{{- /* The variables of a container that may have none: list of the context, the role's values and the chart's own items. */ -}}
{{- define "lambdafs.env" -}}
{{- with concat (index . 2) (include "lambdafs.extra" (list (index . 0) (index . 1) "extraEnv") | fromYamlArray) }}
env: {{ toJson . }}
{{- end }}
{{- end }}

{{- /* The probes of a process that may take long until it serves: list of the context, the role's values and the port. */ -}}
{{- define "lambdafs.probes" -}}
{{- $page := include "lambdafs.page" (list (index . 0) "/healthz" (index . 2)) -}}
startupProbe:
  httpGet: {{ $page }}
  periodSeconds: 5
  timeoutSeconds: 5
  failureThreshold: {{ div (add (int (index . 1).startupSeconds) 4) 5 }}
readinessProbe:
  httpGet: {{ $page }}
  periodSeconds: 2
  timeoutSeconds: 5
livenessProbe:
  httpGet: {{ $page }}
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
{{- end }}

{{- /* What a claim asks for: list of the context and the values of its persistence. */ -}}
{{- define "lambdafs.claim" -}}
accessModes: [ReadWriteOnce]
{{- with include "lambdafs.text" ((index . 1).storageClass | default ((index . 0).Values.global).storageClass) }}
storageClassName: {{ . | quote }}
{{- end }}
resources: {requests: {storage: {{ include "lambdafs.text" (index . 1).size | quote }}}}
{{- end }}

{{- /* The volumes of a pod: list of the context, the keys of the secret that it may read, and the role's values. */ -}}
{{- define "lambdafs.volumes" -}}
{{- $root := index . 0 -}}
- name: config
  configMap: {name: {{ include "lambdafs.fullname" $root }}}
- name: secret
  secret:
    secretName: {{ include "lambdafs.secret" $root }}
    defaultMode: 0400
    items:
    {{- range (index . 1) }}
      - {key: {{ . }}, path: {{ . }}}
    {{- end }}
{{- if $root.Values.tls.enabled }}
- name: tls
  secret:
    secretName: {{ include "lambdafs.tls" $root }}
    defaultMode: 0400
    items:
      - {key: ca.crt, path: ca.crt}
      - {key: tls.crt, path: tls.crt}
      - {key: tls.key, path: tls.key}
{{- end }}
- name: tmp
  emptyDir: {sizeLimit: 256Mi}
{{- include "lambdafs.extra" (list $root (index . 2) "extraVolumes") }}
{{- end }}

{{- /* What a container mounts: list of the context and the role's values. */ -}}
{{- define "lambdafs.mounts" -}}
- {name: config, mountPath: /etc/lambdafs, readOnly: true}
- {name: secret, mountPath: /etc/lambdafs-secret, readOnly: true}
{{- if (index . 0).Values.tls.enabled }}
- {name: tls, mountPath: /etc/lambdafs-tls, readOnly: true}
{{- end }}
- {name: tmp, mountPath: /tmp}
{{- include "lambdafs.extra" (append . "extraVolumeMounts") }}
{{- end }}

