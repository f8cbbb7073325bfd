{{- define "lambdafs.fullname" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "lambdafs.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "lambdafs.labels" -}}
{{ include "lambdafs.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "lambdafs.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "lambdafs.secret" -}}
{{ .Values.secrets.existing | default (include "lambdafs.fullname" .) }}
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

{{- define "lambdafs.ownNdb" -}}
{{ if and (eq .Values.store.engine "ndb") (not .Values.store.ndb.connect) }}yes{{ end }}
{{- end }}

{{- define "lambdafs.tls" -}}
{{ .Values.tls.existing | default (printf "%s-tls" (include "lambdafs.fullname" .)) }}
{{- end }}

{{- /* A probe's page: list of the context, the path and the name of the port. */ -}}
{{- define "lambdafs.page" -}}
{path: {{ index . 1 }}, port: {{ index . 2 }}{{ if (index . 0).Values.tls.enabled }}, scheme: HTTPS{{ end }}}
{{- end }}

{{- define "lambdafs.podSecurity" -}}
runAsNonRoot: {{ ne (int .Values.runAs) 0 }}
runAsUser: {{ .Values.runAs }}
runAsGroup: {{ .Values.runAs }}
{{- if .Values.runAs }}
fsGroup: {{ .Values.runAs }}
fsGroupChangePolicy: OnRootMismatch
{{- end }}
seccompProfile: {type: RuntimeDefault}
{{- end }}

{{- define "lambdafs.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end }}

{{- /* The volumes of a pod: list of the context and the keys of the secret that it may read. */ -}}
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
{{- end }}

{{- define "lambdafs.mounts" -}}
- {name: config, mountPath: /etc/lambdafs, readOnly: true}
- {name: secret, mountPath: /etc/lambdafs-secret, readOnly: true}
{{- if .Values.tls.enabled }}
- {name: tls, mountPath: /etc/lambdafs-tls, readOnly: true}
{{- end }}
- {name: tmp, mountPath: /tmp}
{{- end }}

{{- define "lambdafs.scheduling" -}}
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{ toJson . }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{ toJson . }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{ toJson . }}
{{- end }}
{{- with .Values.topologySpreadConstraints }}
topologySpreadConstraints: {{ toJson . }}
{{- end }}
{{- end }}

{{- /* A pod that runs one command of the command line in a client's directory: list of the context and the arguments. */ -}}
{{- define "lambdafs.tools" -}}
{{- $root := index . 0 -}}
{{- $name := include "lambdafs.fullname" $root -}}
metadata:
  labels:
    {{- include "lambdafs.labels" $root | nindent 4 }}
    app.kubernetes.io/component: tools
spec:
  restartPolicy: Never
  automountServiceAccountToken: false
  {{- if $root.Values.datanode.enabled }}
  serviceAccountName: {{ $name }}-datanode
  {{- end }}
  enableServiceLinks: false
  securityContext:
    {{- include "lambdafs.podSecurity" $root | nindent 4 }}
  {{- include "lambdafs.scheduling" $root | nindent 2 }}
  containers:
    - name: tools
      image: {{ include "lambdafs.image" $root }}
      imagePullPolicy: {{ $root.Values.image.pullPolicy }}
      command: [java, "@/app/roles/lambdafs"]
      args: {{ toJson (index . 1) }}
      env:
        - {name: LAMBDAFS_DIR, value: /etc/lambdafs-client}
      {{- with $root.Values.datanode.credentials }}
      envFrom:
        - secretRef: {name: {{ . }}}
      {{- end }}
      resources: {{ toJson $root.Values.tools.resources }}
      securityContext:
        {{- include "lambdafs.containerSecurity" $root | nindent 8 }}
      volumeMounts:
        - {name: client, mountPath: /etc/lambdafs-client, readOnly: true}
        - {name: tmp, mountPath: /tmp}
  volumes:
    - name: client
      projected:
        defaultMode: 0400
        sources:
          - configMap: {name: {{ $name }}-client}
          - secret:
              name: {{ include "lambdafs.secret" $root }}
              items:
                - {key: secret, path: secret}
                {{- if $root.Values.gateway.enabled }}
                - {key: apikey, path: apikey}
                - {key: managementkey, path: managementkey}
                {{- end }}
          {{- if $root.Values.tls.enabled }}
          - secret:
              name: {{ include "lambdafs.tls" $root }}
              items:
                - {key: ca.crt, path: ca.crt}
                - {key: tls.crt, path: tls.crt}
                - {key: tls.key, path: tls.key}
          {{- end }}
    - name: tmp
      emptyDir: {sizeLimit: 256Mi}
{{- end }}

{{- define "lambdafs.instancePod" -}}
apiVersion: v1
kind: Pod
metadata:
  labels:
    {{- include "lambdafs.labels" . | nindent 4 }}
    app.kubernetes.io/component: instance
spec:
  automountServiceAccountToken: false
  enableServiceLinks: false
  terminationGracePeriodSeconds: {{ .Values.pool.stopGraceSeconds }}
  securityContext:
    {{- include "lambdafs.podSecurity" . | nindent 4 }}
  {{- include "lambdafs.scheduling" . | nindent 2 }}
  containers:
    - name: instance
      image: {{ .Values.instance.image | default (include "lambdafs.image" .) }}
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      command: [java, "@/app/roles/instance"]
      env:
        - {name: LAMBDAFS_CONF, value: /etc/lambdafs/function.json}
        - {name: LAMBDAFS_ACTION_PORT, value: "8080"}
        - name: LAMBDAFS_ADVERTISED_HOST
          valueFrom: {fieldRef: {fieldPath: status.podIP}}
        - name: LAMBDAFS_ACTION_KEY
          valueFrom: {secretKeyRef: {name: {{ include "lambdafs.secret" . }}, key: actionkey}}
      {{- if .Values.datanode.direct }}
      envFrom:
        - secretRef: {name: {{ .Values.datanode.credentials }}}
      {{- end }}
      ports:
        - {name: http, containerPort: 8080}
      livenessProbe:
        # Not its health: an instance that cannot reach the store is of use again once it can.
        httpGet: {{ include "lambdafs.page" (list . "/metrics" "http") }}
        initialDelaySeconds: 30
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      resources:
        requests: {cpu: {{ .Values.instance.cpuRequest | quote }}}
        {{- with .Values.instance.cpuLimit }}
        limits: {cpu: {{ . | quote }}}
        {{- end }}
      securityContext:
        {{- include "lambdafs.containerSecurity" . | nindent 8 }}
      volumeMounts:
        {{- include "lambdafs.mounts" . | nindent 8 }}
  volumes:
    {{- include "lambdafs.volumes" (list . (list "secret")) | nindent 4 }}
{{- end }}
