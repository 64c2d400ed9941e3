"""Cases API on Django REST framework, with what the contract asks for: 422, strict types, one transaction."""

import hashlib
import json
import math
import os
from uuid import uuid4

import django
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.db import connection, models, transaction

settings.configure(
    SECRET_KEY="interop",
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": os.environ["DATABASE"],
            "OPTIONS": {"transaction_mode": "IMMEDIATE", "timeout": 20, "init_command": "pragma journal_mode=wal"},
        }
    },
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", "rest_framework"],
    MIDDLEWARE=[f"{__name__}.request_ids"],
    APPEND_SLASH=False,
    USE_TZ=True,
    LOGGING_CONFIG=None,
    REST_FRAMEWORK={
        "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
        "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
        "EXCEPTION_HANDLER": f"{__name__}.failed",
        "NON_FIELD_ERRORS_KEY": "body",
    },
)
django.setup()

from django.urls import path  # noqa: E402
from rest_framework import (  # noqa: E402
    authentication,
    exceptions,
    pagination,
    permissions,
    serializers,
    throttling,
    views,
    viewsets,
)
from rest_framework.response import Response  # noqa: E402


class Case(models.Model):
    id = models.CharField(primary_key=True, max_length=40)
    number = models.IntegerField(unique=True)
    tenant = models.CharField(max_length=100)
    status = models.CharField(max_length=20, default="open")
    subject = models.CharField(max_length=200)
    contact = models.JSONField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        app_label = "cases"


class Command(models.Model):
    caller = models.CharField(max_length=100)
    key = models.CharField(max_length=100)
    digest = models.CharField(max_length=64)
    response = models.JSONField()

    class Meta:
        app_label = "cases"
        constraints = [models.UniqueConstraint(fields=["caller", "key"], name="one_command_a_key")]


with connection.schema_editor() as editor:
    editor.create_model(Case)
    editor.create_model(Command)

with open(os.environ["CALLERS"]) as file:
    CALLERS = {one["token"]: one for one in json.load(file) if one["state"] == "valid"}


def request_ids(get_response):
    def middleware(request):
        response = get_response(request)
        response["X-Request-Id"] = f"req_{uuid4().hex}"
        return response

    return middleware


class Conflict(exceptions.APIException):
    status_code = 409
    default_code = "conflict"


def failed(error, context):
    if isinstance(error, exceptions.ValidationError):
        error.status_code = 422
    return views.exception_handler(error, context)


class Caller:
    is_authenticated = True

    def __init__(self, known):
        self.pk = known["caller"]
        self.tenant = known["tenant"]
        self.permissions = known["permissions"]


class BearerAuthentication(authentication.TokenAuthentication):
    keyword = "Bearer"

    def authenticate_credentials(self, key):
        if key not in CALLERS:
            raise exceptions.AuthenticationFailed("Invalid token.")
        return Caller(CALLERS[key]), key


class HasPermission(permissions.BasePermission):
    def has_permission(self, request, view):
        if not request.user.is_authenticated:
            return False
        needed = "case.create" if request.method == "POST" else "case.read"
        return needed in request.user.permissions


class PerCaller(throttling.SimpleRateThrottle):
    scope = "caller"
    rate = "100/s"

    def get_cache_key(self, request, view):
        return f"throttle-{request.user.pk}" if request.user.is_authenticated else None

    def wait(self):
        return math.ceil(super().wait() or 1)


class Text(serializers.CharField):
    def __init__(self, **settings):
        super().__init__(trim_whitespace=False, **settings)

    def to_internal_value(self, data):
        if not isinstance(data, str):
            self.fail("invalid")
        return data

    def run_validation(self, data=serializers.empty):
        # The parent takes a text of blanks for an empty one, and forbids NUL.
        if isinstance(data, str) and data.strip() == "" and data != "":
            if len(data) > (self.max_length or len(data)):
                self.fail("max_length", max_length=self.max_length)
            return data
        return super().run_validation(data)


class ContactSerializer(serializers.Serializer):
    email = serializers.EmailField()


class CaseSerializer(serializers.ModelSerializer):
    subject = Text(max_length=200)
    contact = ContactSerializer(required=False)
    createdAt = serializers.DateTimeField(source="created_at", read_only=True)

    class Meta:
        model = Case
        fields = ["id", "status", "subject", "contact", "createdAt"]
        read_only_fields = ["id", "status"]


class Pages(pagination.LimitOffsetPagination):
    default_limit = 20
    max_limit = 100

    def get_limit(self, request):
        return self.number(request, "limit", self.default_limit, 1, self.max_limit)

    def get_offset(self, request):
        return self.number(request, "offset", 0, 0, 10**9)

    def number(self, request, name, default, least, most):
        text = request.query_params.get(name)
        if text is None:
            return default
        if not text.isascii() or not text.isdigit() or not least <= int(text[:12]) <= most:
            raise exceptions.ValidationError({name: [f"Must be {least} to {most}."]})
        return int(text)


class CaseViewSet(viewsets.ModelViewSet):
    authentication_classes = [BearerAuthentication]
    permission_classes = [HasPermission]
    serializer_class = CaseSerializer
    pagination_class = Pages
    throttle_classes = [PerCaller]

    def get_queryset(self):
        found = Case.objects.filter(tenant=self.request.user.tenant).order_by("number")
        status = self.request.query_params.get("status")
        if status not in (None, "open"):
            raise exceptions.ValidationError({"status": ["Must be open."]})
        return found

    def create(self, request):
        key = request.headers.get("Idempotency-Key", "").strip()
        if not key or len(key) > 100:
            raise exceptions.ValidationError({"Idempotency-Key": ["One key of 1 to 100 characters is required."]})
        serializer = self.get_serializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        sent = json.dumps(serializer.validated_data, sort_keys=True, default=str)
        digest = hashlib.sha256(sent.encode()).hexdigest()
        with transaction.atomic():
            before = Command.objects.filter(caller=request.user.pk, key=key).first()
            if before:
                if before.digest != digest:
                    raise Conflict("This Idempotency-Key was used with another body.")
                return Response(before.response, status=201)
            serializer.save(id=f"case_{uuid4().hex}", number=Case.objects.count(), tenant=request.user.tenant)
            Command.objects.create(caller=request.user.pk, key=key, digest=digest, response=serializer.data)
        return Response(serializer.data, status=201)


urlpatterns = [
    path("cases", CaseViewSet.as_view({"get": "list", "post": "create"})),
    path("cases/<str:pk>", CaseViewSet.as_view({"get": "retrieve"})),
]
application = get_wsgi_application()
